import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dropWords, listLeftWords } from '#lib/saving/local-copies.ts'
import { isKeptMemo, type KeptMemo, newInKept } from '../state/memo-fields.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { TwoTexts } from './two-texts.tsx'

type Left = { id: string; kept: KeptMemo }

/** Offers words of a memo that this device kept and never saved, such as before a crash. */
export function LeftWords({ open: { id, draft, state } }: { open: OpenMemo }) {
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
  const fields = Object.keys(kept.fields)
  const isOlder = Object.values(kept.versions).some((version) => version < state.stored.version)
  const drop = async () => {
    await dropWords(left.id)
    await queryClient.invalidateQueries({ queryKey })
  }
  const putBack = async () => {
    await draft.putBack(kept)
    await drop()
  }
  return (
    <section className="edition-left" aria-label="Words that weren’t saved">
      <div className="edition-strip">
        <p>This device has words that weren’t saved.</p>
        <button type="button" className="edition-word" onClick={() => void drop()}>
          Drop them
        </button>
        <button type="button" onClick={() => void putBack()}>
          Put them back
        </button>
      </div>
      {isOlder && (
        <>
          <p className="meta">The memo was changed since. Compare before you choose.</p>
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

/** Reads what is left of a memo. What the server has in the meantime is dropped. */
async function readLeft(id: string, text: OpenMemo['state']['text']): Promise<Left[]> {
  const found: Left[] = []
  for (const { id: leftId, words } of await listLeftWords(id)) {
    const kept = isKeptMemo(words) ? newInKept(words, text) : null
    if (kept !== null && Object.keys(kept.fields).length > 0) found.push({ id: leftId, kept })
    else await dropWords(leftId)
  }
  return found
}
