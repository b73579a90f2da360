import { getTimeList, likeMemo, listArchive, listMemos, type Memo } from '@tidings/contracts/editions'
import { enterContact, getGate, passGate } from '@tidings/contracts/gate'
import { setupServer } from 'msw/node'
import { errorResponse, fake } from './fake.ts'
import { articleHandlers, type FakeArticle } from './fake-articles.ts'
import { type FakeMembership, fakeMembership, membershipHandlers } from './fake-membership.ts'

/** The state of the fake API; each test creates its own. */
export type FakeSite = {
  gate: { on: boolean; passed: boolean; password: string }
  /** Memos by edition key. */
  editions: Record<string, Memo[]>
  /** Gated articles, newest first. */
  articles: FakeArticle[]
  membership: FakeMembership
  /** Every request, as `GET /gate`, in order. */
  calls: string[]
}

/** Intercepts the page's requests. A request without a handler fails the test. */
export const apiServer = setupServer()

/** Returns a complete memo as the API sends it. */
export function wireMemo(memo: Partial<Memo> & { title: string }): Memo {
  return {
    _id: idOf(memo.title),
    media: '',
    media_text: '',
    media_title: '',
    memo_content: `<p>The body of ${memo.title}.</p>`,
    source: 'https://source.example/',
    counter: 12,
    ...memo,
  }
}

function idOf(title: string): string {
  const sum = [...title].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 16 ** 8, 7)
  return `00000000-0000-4000-8000-${sum.toString(16).padStart(12, '0')}`
}

/** Returns a site whose gate is passed, without editions unless given. */
export function fakeSite(site: Partial<FakeSite> = {}): FakeSite {
  return {
    gate: { on: true, passed: true, password: 'tidings' },
    editions: {},
    articles: [],
    membership: fakeMembership(),
    calls: [],
    ...site,
  }
}

/** Serves the page's requests from the site's state. */
export function serve(site: FakeSite): void {
  apiServer.use(
    ...membershipHandlers(site.membership),
    ...articleHandlers(site.articles, site.membership),
    fake(getGate, () => ({ data: gateOf(site) })),
    fake(passGate, ({ body: { password } }) => {
      if (password !== site.gate.password) return errorResponse(401, 'invalid-password', 'Invalid password')
      site.gate.passed = true
      return { data: gateOf(site) }
    }),
    fake(enterContact, ({ body: { tool } }) => {
      if (tool === 'nonsense')
        return errorResponse(400, 'invalid-contact', 'Enter a phone number or an email address.')
      return { kind: tool.includes('@') ? ('email' as const) : ('phone' as const) }
    }),
    fake(getTimeList, ({ params: { date } }) => {
      const timeStamp = Object.keys(site.editions)
        .filter((key) => key.startsWith(date))
        .map((key) => key.slice(9))
      return refusedByGate(site) ?? { date, timeStamp }
    }),
    fake(listArchive, () => {
      const list = Object.keys(site.editions).map((key) => ({
        date: key.slice(0, 8),
        time_stamp: key.slice(9),
      }))
      return refusedByGate(site) ?? list.toReversed()
    }),
    fake(listMemos, ({ params: { key } }) => {
      const memos = site.editions[key]
      if (memos === undefined) return errorResponse(404, 'edition-not-found', 'This edition does not exist.')
      return refusedByGate(site) ?? memos
    }),
    fake(likeMemo, ({ body: { id, add } }) => {
      const memo = Object.values(site.editions)
        .flat()
        .find(({ _id }) => _id === id)
      if (memo === undefined)
        return errorResponse(404, 'memo-not-found', 'This memo doesn’t exist, or it was withdrawn.')
      memo.counter += add ? 1 : -1
      return { id, counter: memo.counter }
    }),
  )
  apiServer.events.on('request:start', ({ request }) => {
    site.calls.push(`${request.method} ${new URL(request.url).pathname}`)
  })
}

function refusedByGate({ gate }: FakeSite) {
  return gate.on && !gate.passed
    ? errorResponse(401, 'gate-required', 'Enter the site password first.')
    : null
}

function gateOf({ gate }: FakeSite) {
  return { on: gate.on, passed: gate.passed }
}
