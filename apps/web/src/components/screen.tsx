import { type ReactNode, useEffect } from 'react'
import { useSurroundings } from '../lib/surroundings.tsx'

type ScreenProps = { title: string; className?: string; children: ReactNode }

/** Id of the main part of every screen: where the skip link leads and a new screen takes the focus. */
export const mainId = 'content'

/** One screen of the site: the main landmark, with the page's title set to match. */
export function Screen({ title, className, children }: ScreenProps) {
  const { config } = useSurroundings()
  useEffect(() => {
    document.title = title === config.siteName ? title : `${title} · ${config.siteName}`
  }, [title, config.siteName])
  return (
    <main id={mainId} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
