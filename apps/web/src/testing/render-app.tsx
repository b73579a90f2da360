import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { SiteConfig } from '@tidings/contracts/site-config'
import { HttpResponse, http } from 'msw/http'
import { vi } from 'vitest'
import { createApp } from '../app.tsx'
import { parseSiteConfig } from '../lib/site-config.ts'
import { createStore } from '../lib/store.ts'
import type { Surroundings } from '../lib/surroundings.tsx'
import { apiServer, type FakeSite, fakeSite, serve } from './api-handlers.ts'
import { fakeSockets } from './fake-socket.ts'

/** Noon of the day on which the tests take place, on the reader's own clock. */
const testNow = new Date(2026, 10, 20, 12, 0)

export type RenderOptions = {
  /** Where the reader comes in: a screen's path. */
  path: string
  site?: FakeSite
  config?: Partial<SiteConfig>
  hostName?: string
  now?: Date
  /** Whether no call gets an answer. */
  offline?: boolean
  /** With fake timers on: moves them along while the reader acts. */
  advanceTimers?: (ms: number) => void
}

/** Renders the whole page at a path, against a stand-in for the API, and waits until the first screen is up. */
export async function renderApp(options: RenderOptions) {
  const { path, site = fakeSite(), config = {}, hostName, now, offline, advanceTimers } = options
  serve(site)
  if (offline === true) apiServer.use(http.all('*', () => HttpResponse.error()))
  const sockets = fakeSockets()
  let presentMoment = now ?? testNow
  const surroundings: Surroundings = {
    config: { ...parseSiteConfig('{}'), ...config },
    clock: { now: () => presentMoment, chance: () => 0.5 },
    deviceStore: createStore(() => window.localStorage),
    sessionStore: createStore(() => window.sessionStorage),
    openSocket: sockets.open,
    hostName: hostName ?? 'localhost',
    reloadPage: vi.fn<() => void>(),
  }
  const history = createMemoryHistory({ initialEntries: [path] })
  const { App, router, queryClient } = createApp(surroundings, history)
  render(<App />)
  await screen.findByRole('main')
  return {
    site,
    sockets,
    router,
    queryClient,
    surroundings,
    user: userEvent.setup(advanceTimers === undefined ? {} : { advanceTimers }),
    /** Moves the reader's clock. */
    setNow(moment: Date) {
      presentMoment = moment
    },
    /** Lets the server say something over the live feed. */
    say: (frame: unknown) => act(() => sockets.server().received(JSON.stringify(frame))),
  }
}
