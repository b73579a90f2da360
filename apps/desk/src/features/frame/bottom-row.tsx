import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useYou } from '#lib/desk-context.ts'
import { screensFor } from '#lib/screens.ts'

const inRow = ['/', '/comments']

/** On a phone, the way to the screens at the lower edge. */
export function BottomRow({ reportCount, onFind }: { reportCount: number; onFind: () => void }) {
  const { pathname } = useLocation()
  const isOfDay = pathname === '/' || /^\/(?:days|editions)\//.test(pathname)
  return (
    <nav aria-label="Screens" className="bottom-row">
      <Link to="/" activeOptions={{ exact: true }} data-current={isOfDay || undefined}>
        Today
      </Link>
      <Link to="/comments" search={{ show: 'reported' }} activeOptions={{ includeSearch: false }}>
        Comments{reportCount > 0 && ` ${reportCount}`}
      </Link>
      <button type="button" onClick={onFind}>
        Find
      </button>
      <More />
    </nav>
  )
}

function More() {
  const more = useRef<HTMLDialogElement>(null)
  const you = useYou()
  const { pathname } = useLocation()
  const screens = screensFor(you.roles, useRouter()).filter(({ path }) => !inRow.includes(path))
  const isCurrent = screens.some(({ path }) => pathname.startsWith(path)) || pathname.startsWith('/you')
  useEffect(() => more.current?.close(), [pathname])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => more.current?.showModal()}
      >
        More
      </button>
      <dialog ref={more} className="more-screens" aria-label="More screens">
        <ul>
          {screens.map(({ name, path }) => (
            <li key={path}>
              <Link to={path}>{name}</Link>
            </li>
          ))}
          <li>
            <Link to="/you">{you.name}: your name, passkeys and keys</Link>
          </li>
        </ul>
        <button type="button" onClick={() => more.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  )
}
