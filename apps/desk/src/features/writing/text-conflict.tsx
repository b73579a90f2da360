import './writing.css'
import { Failure } from '#components/failure.tsx'
import { useKeys } from '#lib/browser/use-keys.ts'
import type { OpenText, WrittenText } from './open-text.ts'
import { TwoTexts } from './two-texts.tsx'

/** Shows the text of this device beside that of another person, and lets the person choose. */
export function TextConflict({ open: { draft, state } }: { open: OpenText<WrittenText> }) {
  const { conflict } = state
  useKeys(conflict !== null ? { 1: () => void draft.keepMine(), 2: () => void draft.takeTheirs() } : {})
  if (conflict === null) return null
  const { stored, fields } = conflict
  const name = firstName(stored.savedBy)
  const putTogether = async () => {
    const memo_content = `${draft.getState().text.memo_content}${stored.text.memo_content}`
    await draft.keepMine({ memo_content })
  }
  return (
    <section className="writing-conflict" aria-label="Two texts">
      <p className="strip" role="status">
        <span>
          <b>{name} changed this text too.</b> Nothing is lost.
        </span>
      </p>
      <TwoTexts
        fields={fields}
        left={{
          label: 'Yours, not saved',
          text: state.text,
          action: (
            <p className="writing-choice">
              <button type="button" aria-keyshortcuts="1" onClick={() => void draft.keepMine()}>
                Keep mine
              </button>
              <kbd>1</kbd>
            </p>
          ),
        }}
        right={{
          label: `${possessive(name)}, saved`,
          text: stored.text,
          action: (
            <p className="writing-choice">
              <button type="button" aria-keyshortcuts="2" onClick={() => void draft.takeTheirs()}>
                Take {possessive(name)}
              </button>
              <kbd>2</kbd>
            </p>
          ),
        }}
      />
      {fields.includes('memo_content') && (
        <p>
          <button type="button" className="plain" onClick={() => void putTogether()}>
            Put them together
          </button>{' '}
          <span className="meta">Opens your text with {possessive(name)} below it.</span>
        </p>
      )}
      <Failure text={state.message} />
      <p className="meta">Whichever you choose, the other text stays under Versions.</p>
    </section>
  )
}

function firstName(name: string): string {
  return name.split(' ')[0] || 'Someone'
}

function possessive(name: string): string {
  return name === 'Someone' ? 'the other text' : `${name}’s`
}
