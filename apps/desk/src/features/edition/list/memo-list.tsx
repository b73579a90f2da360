import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { wordsText } from '#features/writing/plain-text.ts'
import type { MemoRow } from '../state/memo-rows.ts'

type Props = {
  editionKey: string
  rows: readonly MemoRow[]
  openId: string | null
  /** Shown in the row of the open memo. */
  actions: ReactNode
}

/** The memos of an edition in order. */
export function MemoList({ editionKey, rows, openId, actions }: Props) {
  return (
    <ol className="edition-memos">
      {rows.map((row, index) => (
        <li key={row.id} className={row.id === openId ? 'edition-memo edition-open' : 'edition-memo'}>
          <span className="edition-place" aria-hidden="true">
            {index + 1}
          </span>
          <div>
            <Link
              to="/editions/$key/memos/$id"
              params={{ key: editionKey, id: row.id }}
              aria-current={row.id === openId ? 'page' : undefined}
              className="edition-title"
            >
              {row.title === '' ? <i>No title yet</i> : row.title}
            </Link>
            <p className="meta">
              <span className={`edition-dot edition-dot-${row.state.toLowerCase()}`} aria-hidden="true" />{' '}
              {row.state} · {wordsText(row.words)}
              {row.picture === 'picture' && ' · picture'}
              {row.picture === 'no alt text' && (
                <>
                  {' · '}
                  <span className="urgent">no alt text</span>
                </>
              )}
            </p>
            {row.id === openId && actions}
          </div>
        </li>
      ))}
    </ol>
  )
}
