import { useRouter } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { Remark } from './look-at.ts'

type Props = {
  edition: DeskEdition
  obstacles: readonly Remark[]
  warnings: readonly Remark[]
  isChecking: boolean
}

/** Lists what makes the publication impossible, and what an editor should look at first. */
export function LookAtList({ edition, obstacles, warnings, isChecking }: Props) {
  return (
    <>
      {obstacles.length > 0 && (
        <Remarks name="First" edition={edition} remarks={obstacles} className="publish-obstacles" />
      )}
      {warnings.length > 0 && <Remarks name="Look at" edition={edition} remarks={warnings} />}
      {isChecking && (
        <p role="status" className="publish-hint">
          Checking the links…
        </p>
      )}
    </>
  )
}

type RemarksProps = { name: string; edition: DeskEdition; remarks: readonly Remark[]; className?: string }

function Remarks({ name, edition, remarks, className = '' }: RemarksProps) {
  return (
    <section className={`publish-remarks ${className}`} aria-label={name}>
      <p className="urgent">{name}</p>
      <ul>
        {remarks.map(({ text, memoId }) => (
          <li key={text}>
            <span>{text}</span>
            {memoId !== null && <GoToMemo edition={edition.key} memo={memoId} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function GoToMemo({ edition, memo }: { edition: string; memo: string }) {
  const { history } = useRouter()
  const path = `/desk/editions/${edition}/memos/${memo}`
  return (
    <a
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.push(path)
      }}
    >
      Go to it
    </a>
  )
}
