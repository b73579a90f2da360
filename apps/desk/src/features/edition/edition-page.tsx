import { useParams } from '@tanstack/react-router'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { EditionScreen } from './edition-screen.tsx'

/** The edition of the address, with the memo that is open in it. */
export function EditionPage() {
  const { key = '', id = null } = useParams({ strict: false })
  const edition = parseEditionKey(key)
  return edition === null ? null : <EditionScreen key={key} editionKey={key} edition={edition} memoId={id} />
}
