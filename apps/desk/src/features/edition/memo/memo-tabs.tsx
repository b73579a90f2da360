import type { ReactNode } from 'react'
import type { EditionTab, EditionView } from '../state/use-edition-view.ts'

const tabs = [
  ['write', 'Write'],
  ['picture', 'Picture'],
  ['preview', 'Preview'],
] as const satisfies readonly [EditionTab, string][]

type Props = {
  view: EditionView
  /** Stands at the end of the row. */
  children: ReactNode
}

/** The parts of a memo on a phone, which shows one of them. */
export function MemoTabs({ view: { tab, setTab }, children }: Props) {
  return (
    <fieldset aria-label="Memo" className="edition-tabs">
      {tabs.map(([name, label]) => (
        <button key={name} type="button" aria-pressed={name === tab} onClick={() => setTab(name)}>
          {label}
        </button>
      ))}
      {children}
    </fieldset>
  )
}
