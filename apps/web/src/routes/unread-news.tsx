import { formatWireDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { PlainWord } from '../components/plain-word.tsx'
import { endSentence } from '../features/editions/sentences.ts'
import { readLastRead } from '../features/memos/last-read.ts'
import { MemoList } from '../features/memos/memo-list.tsx'
import { UnreachableError } from '../lib/api-client.ts'
import { formatDay, localDate } from '../lib/calendar.ts'
import { useSurroundings } from '../lib/surroundings.tsx'

/** What stands in place of memos that could not be read: offline, what was last read on this device. */
export function UnreadNews({ error, onTryAgain }: { error: Error | null; onTryAgain: () => void }) {
  const { config, clock, deviceStore } = useSurroundings()
  const tryAgain = (
    <button type="button" className="link" onClick={onTryAgain}>
      Try again
    </button>
  )
  if (!(error instanceof UnreachableError)) {
    return <PlainWord sentence="The memos could not be fetched.">{tryAgain}</PlainWord>
  }
  const lastRead = readLastRead(deviceStore)
  const edition = lastRead === null ? null : parseEditionKey(lastRead.key)
  if (lastRead === null || edition === null) {
    return <PlainWord sentence="You seem to be offline.">{tryAgain}</PlainWord>
  }
  const name = `${formatDay(edition.date, localDate(clock.now()))}, ${edition.slot}`
  return (
    <>
      <PlainWord sentence={`You seem to be offline. This is what you last read: ${name}.`}>
        {tryAgain}
      </PlainWord>
      <MemoList
        key={lastRead.key}
        memos={lastRead.memos}
        edition={{ date: formatWireDate(edition.date), slot: edition.slot }}
        canExpandAll={false}
        endSentence={endSentence(edition.slot, config.slots)}
      />
    </>
  )
}
