import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { SiteConfig } from '@tidings/contracts/site/site-config'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { HttpResponse, http } from 'msw/http'
import { onTestFinished } from 'vitest'
import { createApp } from '../app.tsx'
import { apiServer, type FakeSite, fakeSite, serve } from './api-handlers.ts'
import { accountHandlers, type FakeAccount, fakeAccount } from './fake-account.ts'
import { storeSession } from './fake-membership.ts'
import { createFakeSockets } from './fake-socket.ts'
import { runSoon, testNow, testServices } from './test-services.ts'

export type RenderOptions = {
  /** Path of the first screen. */
  path: string
  site?: FakeSite
  /** The data of the account calls. */
  account?: FakeAccount
  config?: Partial<SiteConfig>
  /** The data that the server wrote into the shell. */
  start?: SiteStart
  hostName?: string
  /** Whether the browser has the session of the site's account. */
  isLoggedIn?: boolean
  now?: Date
  /** Goes to another path between the first load and the first rendering. */
  goWhileStarting?: string
  /** Whether every request fails. */
  offline?: boolean
  /** Whether the page becomes idle once it has loaded; false by default. */
  isIdle?: boolean
  /** With fake timers: advances them while the reader acts. */
  advanceTimers?: (ms: number) => void
}

/** Renders the whole page at a path, against a fake API, and waits for the first screen. */
export async function renderApp(options: RenderOptions) {
  const { path, site = fakeSite(), config = {}, hostName, now, offline, advanceTimers, start } = options
  apiServer.use(...accountHandlers(site.membership, options.account ?? fakeAccount()))
  serve(site)
  if (options.isLoggedIn === true) storeSession(site.membership)
  if (offline === true) apiServer.use(http.all('*', () => HttpResponse.error()))
  const sockets = createFakeSockets()
  let currentTime = now ?? testNow
  const services = testServices({
    config,
    start: start ?? null,
    clock: { now: () => currentTime, timeZone: () => 'America/Los_Angeles', random: () => 0.5 },
    openSocket: sockets.open,
    ...(hostName === undefined ? {} : { hostName }),
    ...(options.isIdle === true ? { whenIdle: runSoon } : {}),
  })
  const history = createMemoryHistory({ initialEntries: [path] })
  const { App, router, queryClient } = createApp(services, history)
  // A router that is still loading would render its screen where no window is left.
  onTestFinished(() => {
    router.startTransition = async () => false
  })
  if (options.goWhileStarting !== undefined) {
    await router.load()
    history.push(options.goWhileStarting)
  }
  render(<App />)
  await screen.findByRole('main')
  return {
    site,
    sockets,
    router,
    queryClient,
    services,
    user: userEvent.setup(advanceTimers === undefined ? {} : { advanceTimers }),
    /** Sets the reader's clock. */
    setNow(time: Date) {
      currentTime = time
    },
    /** Sends a frame of the live feed to the page. */
    sendFrame: (frame: unknown) => act(() => sockets.server().onMessage(JSON.stringify(frame))),
  }
}
