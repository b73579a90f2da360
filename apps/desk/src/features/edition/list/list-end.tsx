import { Link } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { formatEditionKey, parseEditionKey } from '@tidings/contracts/edition-key'
import { useDeskConfig } from '#lib/desk-context.ts'

/** Says that an edition has no more memos and, once it is public, which slot comes next. */
export function ListEnd({ edition: { key, slot, status } }: { edition: DeskEdition }) {
  const { slots } = useDeskConfig()
  const date = parseEditionKey(key)?.date
  const next = slots[slots.findIndex(({ label }) => label === slot) + 1]
  return (
    <div className="edition-end">
      <p>That is the {slot} edition.</p>
      {status === 'published' && date !== undefined && next !== undefined && (
        <Link to="/editions/$key" params={{ key: formatEditionKey(date, next.label) }}>
          Go on with {next.label}
        </Link>
      )}
    </div>
  )
}
