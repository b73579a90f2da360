import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { SiteConfig } from '@tidings/contracts/site-config'
import type { SiteStart } from '@tidings/contracts/site-start'
import { HttpResponse, http } from 'msw/http'
import { vi } from 'vitest'
import { createApp } from '../app.tsx'
import { createMemberSession } from '../lib/member-session/member-session.ts'
import type { Services } from '../lib/services.tsx'
import { parseSiteConfig } from '../lib/site-config.ts'
import { createStore } from '../lib/store.ts'
import { apiServer, type FakeSite, fakeSite, serve } from './api-handlers.ts'
import { storeSession } from './fake-membership.ts'
import { createFakeSockets } from './fake-socket.ts'

/** Noon of the day on which the tests take place, on the reader's clock. */
const testNow = new Date(2026, 10, 20, 12, 0)

export type RenderOptions = {
  /** Path of the first screen. */
  path: string
  site?: FakeSite
  config?: Partial<SiteConfig>
  /** What the server wrote into the shell. */
  start?: SiteStart
  hostName?: string
  /** Whether the browser has the session of the site's account. */
  isLoggedIn?: boolean
  now?: Date
  /** Whether every request fails. */
  offline?: boolean
  /** With fake timers: advances them while the reader acts. */
  advanceTimers?: (ms: number) => void
}

/** Renders the whole page at a path, against a fake API, and waits for the first screen. */
export async function renderApp(options: RenderOptions) {
  const { path, site = fakeSite(), config = {}, hostName, now, offline, advanceTimers, start } = options
  serve(site)
  if (options.isLoggedIn === true) storeSession(site.membership)
  if (offline === true) apiServer.use(http.all('*', () => HttpResponse.error()))
  const sockets = createFakeSockets()
  let currentTime = now ?? testNow
  const siteConfig = { ...parseSiteConfig('{}'), ...config }
  const deviceStore = createStore(() => window.localStorage)
  const services: Services = {
    config: siteConfig,
    start: start ?? null,
    clock: { now: () => currentTime, timeZone: () => 'America/Los_Angeles', random: () => 0.5 },
    deviceStore,
    sessionStore: createStore(() => window.sessionStorage),
    openSocket: sockets.open,
    memberSession: createMemberSession({ deviceStore, config: siteConfig }),
    hostName: hostName ?? 'localhost',
    reloadPage: vi.fn<() => void>(),
    openPage: vi.fn<(url: string) => void>(),
  }
  const history = createMemoryHistory({ initialEntries: [path] })
  const { App, router, queryClient } = createApp(services, history)
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
