import type { SiteConfig } from '@tidings/contracts/site/site-config'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { createContext, type ReactNode, use } from 'react'
import { browserClock, type Clock } from '../browser/clock.ts'
import { whenIdle } from '../browser/idle.ts'
import { createLeaveGuard, type LeaveGuard } from '../browser/leave-guard.ts'
import { type OpenSocket, openBrowserSocket } from '../browser/live-socket.ts'
import { createMemberSession, type MemberSession } from '../member-session/member-session.ts'
import { createStore, type Store } from '../storage/store.ts'
import { readSiteConfig, readSiteStart } from './site-config.ts'

/** Everything that the page uses from outside of itself; tests pass their own. */
export type Services = {
  config: SiteConfig
  /** The server's state when it sent the page; null when the page came from this device. */
  start: SiteStart | null
  clock: Clock
  /** Kept on this device. */
  deviceStore: Store
  /** Kept for this browser session. */
  sessionStore: Store
  openSocket: OpenSocket
  memberSession: MemberSession
  /** Host name of the page, without a port. */
  hostName: string
  reloadPage: () => void
  leaveGuard: LeaveGuard
  /** Leaves the site, for a page of the payment service. */
  openPage: (url: string) => void
  /** Calls back once the page has loaded and nothing else runs; returns what cancels it. */
  whenIdle: (run: () => void) => () => void
  /** Whether the browser reloaded the page or went back to it. */
  isReload: boolean
}

const ServicesContext = createContext<Services | null>(null)

/** Creates the services of a real browser. */
export function createBrowserServices(): Services {
  const config = readSiteConfig(document)
  const deviceStore = createStore(() => window.localStorage)
  return {
    config,
    start: readSiteStart(document),
    clock: browserClock,
    deviceStore,
    sessionStore: createStore(() => window.sessionStorage),
    openSocket: openBrowserSocket,
    memberSession: createMemberSession({ deviceStore, config }),
    hostName: window.location.hostname,
    reloadPage: () => window.location.reload(),
    leaveGuard: createLeaveGuard(),
    openPage: (url) => window.location.assign(url),
    whenIdle,
    isReload: isReload(),
  }
}

function isReload(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate'
}

/** Provides the services to every component inside. */
export function ServicesProvider({ value, children }: { value: Services; children: ReactNode }) {
  return <ServicesContext value={value}>{children}</ServicesContext>
}

/**
 * Returns the page's services.
 * @throws {Error} outside of a `ServicesProvider`
 */
export function useServices(): Services {
  const services = use(ServicesContext)
  if (services === null) throw new Error('useServices is called outside of a ServicesProvider')
  return services
}
