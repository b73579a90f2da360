import { type ReactNode, useEffect } from 'react'
import { useServices } from '../lib/services/services.tsx'

type ScreenProps = { title: string; className?: string; children: ReactNode }

/** Id of the main element, focused when a new screen appears. */
export const mainId = 'content'

/** Id of the target of the skip link, on a screen whose content is below a masthead: the memos. */
export const contentId = 'memos'

/** One screen of the site: the main landmark. Sets the page's title. */
export function Screen({ title, className, children }: ScreenProps) {
  const { config } = useServices()
  useEffect(() => {
    document.title = title === config.siteName ? title : `${title} · ${config.siteName}`
  }, [title, config.siteName])
  return (
    <main id={mainId} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
