import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { useNow } from '#lib/time/use-now.ts'
import { describeChange } from './stale-edition.ts'

type Props = { seen: DeskEdition; current: DeskEdition; onLook: (edition: DeskEdition) => void }

/** Says that the edition is another than the one that was seen, and shows the new one when the editor asks for it. */
export function ChangedNotice({ seen, current, onLook }: Props) {
  const { text, changes } = describeChange(seen, current, useNow())
  return (
    <div role="alert" className="publish-changed">
      <p>{text}</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <button type="button" onClick={() => onLook(current)}>
        Look again
      </button>
    </div>
  )
}
