import './writing.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { KeptWords } from '#lib/saving/draft-state.ts'
import { dropWords, listLeftWords } from '#lib/saving/local-copies.ts'
import { isKeptOf, newInKept } from './kept-words.ts'
import type { OpenText, WrittenText } from './open-text.ts'
import { TwoTexts } from './two-texts.tsx'

type Left = { id: string; kept: KeptWords<WrittenText> }

type Props = { open: OpenText<WrittenText>; kind: 'memo' | 'article' }

/** Offers words of a text that this device kept and never saved, such as before a crash. */
export function LeftWords({ open: { id, draft, state }, kind }: Props) {
  const queryClient = useQueryClient()
  const queryKey = ['left-words', id]
  const { data = [] } = useQuery({
    queryKey,
    queryFn: () => readLeft(id, draft.getState().stored.text),
    staleTime: Infinity,
    gcTime: 0,
  })
  const [left] = data
  if (left === undefined) return null
  const { kept } = left
  // They would replace what was typed since. Once that is saved, the server compares both.
  const isSaved = draft.isSaved()
  const fields = Object.keys(kept.fields)
  const isOlder = Object.values(kept.versions).some((version) => version < state.stored.version)
  const drop = async () => {
    await dropWords(left.id)
    await queryClient.invalidateQueries({ queryKey })
  }
  const putBack = async () => {
    // A key may have come after what is shown.
    if (!draft.isSaved()) return
    await draft.putBack(kept)
    await drop()
  }
  return (
    <section className="writing-left" aria-label="Words that weren’t saved">
      <div className="strip">
        <p>This device has words that weren’t saved.</p>
        <button type="button" className="plain" onClick={() => void drop()}>
          Drop them
        </button>
        <button type="button" disabled={!isSaved} onClick={() => void putBack()}>
          Put them back
        </button>
      </div>
      {isOlder && (
        <>
          <p className="meta">{`The ${kind} was changed since. Compare before you choose.`}</p>
          <TwoTexts
            fields={fields}
            left={{ label: 'On this device, not saved', text: kept.fields, action: null }}
            right={{ label: 'Saved', text: state.stored.text, action: null }}
          />
        </>
      )}
    </section>
  )
}

/** Reads what is left of a text. What the server has in the meantime is dropped; what can't be read stays where it is. */
async function readLeft(id: string, text: WrittenText): Promise<Left[]> {
  const found: Left[] = []
  for (const { id: leftId, words } of await listLeftWords(id)) {
    if (!isKeptOf(words, text)) continue
    const kept = newInKept(words, text)
    if (Object.keys(kept.fields).length > 0) found.push({ id: leftId, kept })
    else await dropWords(leftId)
  }
  return found
}
