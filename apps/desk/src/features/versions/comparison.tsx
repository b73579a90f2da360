import { useQuery } from '@tanstack/react-query'
import type { TextComparison } from '@tidings/contracts/desk/writing/version-terms'
import { Failure } from '#components/failure.tsx'
import { articleReadersQuery } from '#features/articles/state/article-calls.ts'
import { plainText } from '#features/writing/plain-text.ts'
import { TwoTexts } from '#features/writing/two-texts.tsx'
import { fieldLabel } from '#lib/api/field-labels.ts'
import { comparisonQuery, type TextKind, versionQuery } from './version-calls.ts'
import { type GroupNames, valueText } from './version-words.ts'

/** How a version is shown: with marked words, beside the later one, or alone. */
export type View = 'marked' | 'side' | 'only'

type Props = { kind: TextKind; id: string; version: string; later: string | undefined; view: View }

type Field = TextComparison['fields'][number]

const longTexts = ['title', 'memo_content']
const pictureFields = ['media', 'media_title', 'media_focus']

/** Shows the differences between a version and a later one, field by field. */
export function Comparison({ kind, id, version, later, view }: Props) {
  const read = useQuery(versionQuery(kind, id, version))
  const compared = useQuery({ ...comparisonQuery(kind, id, version, later), enabled: view !== 'only' })
  const groups = useGroupNames(kind)
  const error = read.error ?? (view === 'only' ? null : compared.error)
  if (error !== null) return <Failure text={error.message} />
  if (read.data === undefined || (view !== 'only' && compared.data === undefined)) {
    return (
      <p role="status" className="loading">
        Loading the version…
      </p>
    )
  }
  const fields = view === 'only' ? [] : (compared.data?.fields ?? [])
  if (view === 'side' && fields.length > 0) return <SideBySide fields={fields} groups={groups} />
  return <Marked version={read.data.fields} fields={fields} groups={groups} isAlone={view === 'only'} />
}

/** Returns the names of the groups of articles. Until they are read, a group is named by its key. */
function useGroupNames(kind: TextKind): GroupNames {
  const { data } = useQuery({ ...articleReadersQuery, enabled: kind === 'article' })
  return new Map(data?.groups.map(({ key, name }) => [key, name]))
}

type SideProps = { fields: readonly Field[]; groups: GroupNames }

function SideBySide({ fields, groups }: SideProps) {
  const text = (side: 'before' | 'after') =>
    Object.fromEntries(fields.map((each) => [each.field, valueText(each.field, each[side], groups)]))
  return (
    <TwoTexts
      fields={fields.map(({ field }) => field)}
      left={{ label: 'This version', text: text('before'), action: null }}
      right={{ label: 'The later text', text: text('after'), action: null }}
    />
  )
}

type MarkedProps = SideProps & { version: object; isAlone: boolean }

function Marked({ version, fields, groups, isAlone }: MarkedProps) {
  const values = new Map<string, unknown>(Object.entries(version))
  const of = (name: string) => fields.find(({ field }) => field === name)
  const title = of('title')
  const text = of('memo_content')
  const rest = [...values.keys()].filter((name) => !longTexts.includes(name))
  const isPictureSame = pictureFields.every((name) => of(name) === undefined)
  const shown = rest.filter((name) => !pictureFields.includes(name) || !isPictureSame || isAlone)
  const content = plainText(valueText('memo_content', values.get('memo_content')))
  return (
    <article className="versions-text">
      {!isAlone && fields.length === 0 && <p className="meta">Both texts are the same.</p>}
      <h2>
        {title === undefined ? (
          valueText('title', values.get('title')) || 'Without title'
        ) : (
          <Words field={title} groups={groups} />
        )}
      </h2>
      {!isAlone && isPictureSame && <p className="meta">Picture and caption are the same.</p>}
      <p className="versions-prose">
        {text === undefined ? content || 'No text' : <Words field={text} groups={groups} />}
      </p>
      <dl>
        {shown.map((name) => {
          const field = of(name)
          const value = valueText(name, values.get(name), groups)
          return (
            <div key={name}>
              <dt>{fieldLabel(name)}</dt>
              <dd>
                {field === undefined ? (
                  isAlone ? (
                    value || 'empty'
                  ) : (
                    'unchanged'
                  )
                ) : (
                  <Words field={field} groups={groups} />
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </article>
  )
}

/** The words of a field that differs: removed ones struck, added ones underlined. */
function Words({ field: { field, before, after, words }, groups }: { field: Field; groups: GroupNames }) {
  const runs: Field['words'] =
    words.length > 0 && field !== 'group'
      ? words
      : [
          { kind: 'removed', text: valueText(field, before, groups) },
          { kind: 'added', text: valueText(field, after, groups) },
        ]
  let end = 0
  return runs
    .filter(({ text }) => text !== '')
    .map(({ kind, text }) => {
      end += text.length
      if (kind === 'removed') return <del key={end}>{text}</del>
      return kind === 'added' ? <ins key={end}>{text}</ins> : <span key={end}>{text}</span>
    })
}
