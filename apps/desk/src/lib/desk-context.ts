import type { DeskConfig } from '@tidings/contracts/desk/desk-config'
import type { You } from '@tidings/contracts/desk/people/you'
import { createContext, useContext } from 'react'

/** The site's settings, on every screen. */
export const DeskConfigContext = createContext<DeskConfig | null>(null)

export function useDeskConfig(): DeskConfig {
  const config = useContext(DeskConfigContext)
  if (config === null) throw new Error('There is no desk around this component')
  return config
}

/** The person at the desk, on every screen behind the sign-in. */
export const YouContext = createContext<You | null>(null)

export function useYou(): You {
  const you = useContext(YouContext)
  if (you === null) throw new Error('Nobody is signed in around this component')
  return you
}

/** Returns the zone of the site, and that of the person: as they chose it, or the browser's. */
export function useZones(): { site: string; own: string } {
  const { timeZone } = useDeskConfig()
  const own = useContext(YouContext)?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  return { site: timeZone, own }
}
