import { Link, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDeskConfig, useYou, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { twoClocks } from '#lib/time/zoned-time.ts'

/** The top bar with the screens, both clocks and the person, above the current screen. `notice` stands between them. */
export function DeskFrame({ notice }: { notice?: ReactNode }) {
  const { siteName } = useDeskConfig()
  const you = useYou()
  const zones = useZones()
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
        </nav>
        <p className="clocks">{twoClocks(useNow(), zones.site, zones.own)}</p>
        <Link to="/you" className="initials" aria-label={`${initialsOf(you.name)}: you, ${you.name}`}>
          {initialsOf(you.name)}
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
