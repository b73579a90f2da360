import type { SiteConfig } from '@tidings/contracts/site-config'
import { createContext, type ReactNode, use } from 'react'
import { browserClock, type Clock } from './clock.ts'
import { type OpenSocket, openBrowserSocket } from './live-socket.ts'
import { readSiteConfig } from './site-config.ts'
import { createStore, type Store } from './store.ts'

/** Everything outside the page that its parts may use; tests hand in their own. */
export type Surroundings = {
  config: SiteConfig
  clock: Clock
  /** Lasts on this device. */
  deviceStore: Store
  /** Lasts for this browser session. */
  sessionStore: Store
  openSocket: OpenSocket
  /** Name of the host the page came from, without a port. */
  hostName: string
  /** Fetches the page and all of its code anew. */
  reloadPage: () => void
}

const SurroundingsContext = createContext<Surroundings | null>(null)

/** The surroundings that a browser offers. */
export function browserSurroundings(): Surroundings {
  return {
    config: readSiteConfig(document),
    clock: browserClock,
    deviceStore: createStore(() => window.localStorage),
    sessionStore: createStore(() => window.sessionStorage),
    openSocket: openBrowserSocket,
    hostName: window.location.hostname,
    reloadPage: () => window.location.reload(),
  }
}

/** Makes the surroundings known to everything inside. */
export function SurroundingsProvider({ value, children }: { value: Surroundings; children: ReactNode }) {
  return <SurroundingsContext value={value}>{children}</SurroundingsContext>
}

/**
 * The surroundings of the page.
 * @throws {Error} outside of a `SurroundingsProvider`
 */
export function useSurroundings(): Surroundings {
  const surroundings = use(SurroundingsContext)
  if (surroundings === null) throw new Error('A SurroundingsProvider is missing around this part')
  return surroundings
}
