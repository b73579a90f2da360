import type { SiteConfig } from '@tidings/contracts/site/site-config'
import { vi } from 'vitest'
import { createLeaveGuard } from '../lib/browser/leave-guard.ts'
import { createMemberSession } from '../lib/member-session/member-session.ts'
import type { Services } from '../lib/services/services.tsx'
import { parseSiteConfig } from '../lib/services/site-config.ts'
import { createStore } from '../lib/storage/store.ts'
import { createFakeSockets } from './fake-socket.ts'

type Options = Partial<Omit<Services, 'config'>> & { config?: Partial<SiteConfig> }

/** Returns the services of a page under test: the browser's own storage, a clock that does not move, and never idle. */
export function testServices({ config, ...given }: Options = {}): Services {
  const siteConfig = { ...parseSiteConfig('{}'), ...config }
  const deviceStore = createStore(() => window.localStorage)
  return {
    config: siteConfig,
    start: null,
    clock: { now: () => testNow, timeZone: () => 'America/Los_Angeles', random: () => 0.5 },
    deviceStore,
    sessionStore: createStore(() => window.sessionStorage),
    openSocket: createFakeSockets().open,
    memberSession: createMemberSession({ deviceStore, config: siteConfig }),
    hostName: 'localhost',
    reloadPage: vi.fn<() => void>(),
    leaveGuard: createLeaveGuard(),
    whenIdle: () => () => undefined,
    isReload: false,
    openPage: vi.fn<(url: string) => void>(),
    ...given,
  }
}

/** Runs once the present work is done, as an idle page does. */
export function runSoon(run: () => void): () => void {
  let isCanceled = false
  queueMicrotask(() => {
    if (!isCanceled) run()
  })
  return () => {
    isCanceled = true
  }
}

/** Noon of the day on which the tests take place, on the reader's clock. */
export const testNow = new Date(2026, 10, 20, 12, 0)
