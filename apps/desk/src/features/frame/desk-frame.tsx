import './frame.css'
import './frame-phone.css'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Overlay, Overlays } from '#features/palette/overlays.tsx'
import { printedKeys } from '#lib/browser/key-names.ts'
import { useIsOnline } from '#lib/browser/use-is-online.ts'
import { commentCounts } from '#lib/comment-counts.ts'
import { useDeskConfig, useYou, useZones } from '#lib/desk-context.ts'
import { initialsOf } from '#lib/initials.ts'
import { useNow } from '#lib/time/use-now.ts'
import { clocksAt } from '#lib/time/zoned-time.ts'
import { BottomRow } from './bottom-row.tsx'

/** The top bar with the screens, both clocks and the person, above the current screen. `notice` stands between them. */
export function DeskFrame({ notice }: { notice?: ReactNode }) {
  const { siteName } = useDeskConfig()
  const you = useYou()
  const { pathname } = useLocation()
  const isToday = pathname === '/' || pathname.startsWith('/days/')
  const isOfDay = isToday || pathname.startsWith('/editions/')
  const [overlay, setOverlay] = useState<Overlay>(null)
  const reportCount = useQuery(commentCounts).data?.reported ?? 0
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the screen
      </a>
      <header className={isToday ? 'top-bar top-bar-today' : 'top-bar'}>
        <p className="site-name">{siteName}</p>
        <nav aria-label="Desk">
          <Link to="/" activeOptions={{ exact: true }} data-current={isOfDay || undefined}>
            Today
          </Link>
          <Link to="/archive">Archive</Link>
          <Link to="/comments" search={{ show: 'reported' }} activeOptions={{ includeSearch: false }}>
            Comments{reportCount > 0 && <span className="bar-count">{reportCount}</span>}
          </Link>
          <Link to="/articles">Articles</Link>
          {you.roles.some((role) => role === 'editor' || role === 'owner') && (
            <Link to="/members">Members</Link>
          )}
          <Link to="/numbers">Numbers</Link>
          <Link to="/people">People</Link>
        </nav>
        <Clocks />
        <button
          type="button"
          className="find"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => setOverlay('find')}
        >
          Find or do <kbd>{printedKeys('mod+k').join(' ')}</kbd>
        </button>
        <Link to="/you" className="initials">
          <span>{initialsOf(you.name)}</span>
          <span className="visually-hidden">, {you.name}: your name, passkeys and sessions</span>
        </Link>
      </header>
      <p role="status" className="offline-strip">
        {!useIsOnline() && (
          <>
            <b>You are offline.</b> Keep writing; this device keeps it.
          </>
        )}
      </p>
      {notice}
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <BottomRow reportCount={reportCount} onFind={() => setOverlay('find')} />
      <Overlays open={overlay} setOpen={setOverlay} />
    </>
  )
}

function Clocks() {
  const { site, own } = useZones()
  const [there, here] = clocksAt(useNow(), site, own)
  return (
    <p className="clocks">
      <b>{there}</b>
      {here !== null && ` · ${here}`}
    </p>
  )
}
