import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type * as routes from '@tidings/contracts/desk/routes'
import type { ReplyAt } from '@tidings/contracts/endpoints'

/** The facts about an edition that the server checked. */
export type Readiness = ReplyAt<typeof routes.getReadiness>['data']

/** A sentence about an edition, and the memo that it is about. */
export type Remark = { text: string; memoId: string | null }

type Memo = Readiness['memos'][number]
type Recipients = Readiness['recipients'][number]

const missingNames = { title: 'title', memo_content: 'text' } as const

/** Returns what makes a publication impossible. */
export function obstaclesOf({ memos }: Readiness): Remark[] {
  if (memos.length === 0) return [{ text: 'There are no memos. Write one first.', memoId: null }]
  return memos
    .filter(({ missing }) => missing.length > 0)
    .map(({ id, position, missing }) => {
      const names = missing.map((field) => `no ${missingNames[field]}`).join(' and ')
      return { text: `Memo ${position} has ${names}. Write it or delete it.`, memoId: id }
    })
}

/** Returns what an editor should look at first. None of it makes a publication impossible. */
export function warningsOf(readiness: Readiness, edition: DeskEdition, isSent: boolean): Remark[] {
  const remarks = readiness.memos.flatMap((memo) =>
    memoWarnings(memo, edition).map((text) => ({ text: `${nameOf(memo)}${text}`, memoId: memo.id })),
  )
  const reached = readiness.recipients.some(({ count }) => count > 0)
  if (!isSent || reached) return remarks
  return [...remarks, { text: 'Nobody to send it to. The table says why.', memoId: null }]
}

function memoWarnings({ id, picture, links, isTitleLong, titleCharacters }: Memo, edition: DeskEdition) {
  const isReady = edition.memos.find((memo) => memo.id === id)?.ready === true
  const dead = links.filter(({ state }) => state === 'fails' || state === 'silent' || state === 'refused')
  return [
    ...(picture?.hasAlt === false ? [': the picture has no alt text.'] : []),
    ...dead.map(({ url, text }) => `: ${url} ${text.charAt(0).toLowerCase()}${text.slice(1)}.`),
    ...(isTitleLong ? [`: the title has ${titleCharacters} characters; 90 is long.`] : []),
    ...(isReady ? [] : [' isn’t marked as ready.']),
  ]
}

function nameOf({ title, position }: Memo): string {
  return title === '' ? `Memo ${position}` : `“${title}”`
}

/** Splits recipients into those of this edition and those who get it later in a digest. */
export function recipientsOf({ recipients }: Readiness): {
  methods: Recipients[]
  digest: number
  total: number
} {
  const methods = recipients.filter(({ method }) => method !== 'digest')
  return {
    methods,
    digest: recipients.find(({ method }) => method === 'digest')?.count ?? 0,
    total: methods.reduce((sum, { count }) => sum + count, 0),
  }
}
