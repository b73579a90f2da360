import { useDeskConfig } from '#lib/desk-context.ts'
import { editionName } from '#lib/time/edition-name.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'

/** Says that an edition has no memos. */
export function NothingYet({ editionKey }: { editionKey: string }) {
  const { timeZone } = useDeskConfig()
  return <h2>Nothing for {editionName(editionKey, { today: dayIn(useNow(), timeZone) })} yet.</h2>
}
