import './frame.css'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { commentCounts } from '#lib/comment-counts.ts'
import { useDeskConfig, useYou, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { twoClocks } from '#lib/time/zoned-time.ts'

/** The top bar with the screens, both clocks and the person, above the current screen. `notice` stands between them. */
export function DeskFrame({ notice }: { notice?: ReactNode }) {
  const { siteName } = useDeskConfig()
  const you = useYou()
  const zones = useZones()
  const reportCount = useQuery(commentCounts).data?.reported ?? 0
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the screen
      </a>
      <header className="top-bar">
        <p className="site-name">{siteName}</p>
        <nav aria-label="Desk">
          <Link to="/" activeOptions={{ exact: true }}>
            Today
          </Link>
          <Link to="/archive">Archive</Link>
          <Link to="/comments" search={{ show: 'reported' }} activeOptions={{ includeSearch: false }}>
            Comments{reportCount > 0 && <span className="bar-count">{reportCount}</span>}
          </Link>
          {you.roles.some((role) => role === 'editor' || role === 'owner') && (
            <Link to="/members">Members</Link>
          )}
          <Link to="/numbers">Numbers</Link>
          <Link to="/people">People</Link>
        </nav>
        <p className="clocks">{twoClocks(useNow(), zones.site, zones.own)}</p>
        <Link to="/you" className="initials">
          {initialsOf(you.name)}
          <span className="visually-hidden">, {you.name}: your name, passkeys and sessions</span>
        </Link>
      </header>
      {notice}
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}
