import './entrance.css'
import type { ReactNode } from 'react'
import { useDeskConfig } from '#lib/desk-context.ts'

/** A page in front of the desk: the name of the site, a title, and one thing to do. */
export function Entrance({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const { siteName } = useDeskConfig()
  return (
    <main className="entrance">
      <header>
        <p className="site-name">{siteName}</p>
        <h1>{title}</h1>
        {note !== undefined && <p className="entrance-note">{note}</p>}
      </header>
      {children}
    </main>
  )
}
