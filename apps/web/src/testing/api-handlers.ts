import {
  archiveListReply,
  editionReply,
  likeMemoReply,
  likeMemoRequest,
  type Memo,
  timeListReply,
} from '@tidings/contracts/editions'
import { errorReply } from '@tidings/contracts/errors'
import { entryBoxReply, entryBoxRequest, gateReply, gateRequest } from '@tidings/contracts/gate'
import { paths } from '@tidings/contracts/paths'
import { HttpResponse, http } from 'msw/http'
import { setupServer } from 'msw/node'
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

/** Serves the page's requests from the site's state; each body is parsed with its contract's schema. */
export function serve(site: FakeSite): void {
  apiServer.use(
    ...membershipHandlers(site.membership),
    ...articleHandlers(site.articles, site.membership),
    http.get(paths.gate, () => HttpResponse.json(gateReply.parse({ data: gateOf(site) }))),
    http.post(paths.gate, async ({ request }) => {
      const { password } = gateRequest.parse(await request.json())
      if (password !== site.gate.password) return errorResponse(401, 'invalid-password', 'Invalid password')
      site.gate.passed = true
      return HttpResponse.json(gateReply.parse({ data: gateOf(site) }))
    }),
    http.post(paths.protect, async ({ request }) => {
      const { tool } = entryBoxRequest.parse(await request.json())
      if (tool === 'nonsense')
        return errorResponse(400, 'invalid-contact', 'Enter a phone number or an email address.')
      return HttpResponse.json(entryBoxReply.parse({ kind: tool.includes('@') ? 'email' : 'phone' }))
    }),
    http.get(paths.timeList, ({ params }) => {
      const date = String(params.date)
      const timeStamp = Object.keys(site.editions)
        .filter((key) => key.startsWith(date))
        .map((key) => key.slice(9))
      return behindGate(site, () => HttpResponse.json(timeListReply.parse({ date, timeStamp })))
    }),
    http.get(paths.archiveList, () => {
      const list = Object.keys(site.editions).map((key) => ({
        date: key.slice(0, 8),
        time_stamp: key.slice(9),
      }))
      return behindGate(site, () => HttpResponse.json(archiveListReply.parse(list.toReversed())))
    }),
    http.get(paths.edition, ({ params }) => {
      const memos = site.editions[String(params.key)]
      if (memos === undefined) return errorResponse(404, 'edition-not-found', 'This edition does not exist.')
      return behindGate(site, () => HttpResponse.json(editionReply.parse(memos)))
    }),
    http.post(paths.updateCounter, async ({ request }) => {
      const { id, add } = likeMemoRequest.parse(await request.json())
      const memo = Object.values(site.editions)
        .flat()
        .find(({ _id }) => _id === id)
      if (memo === undefined)
        return errorResponse(404, 'memo-not-found', 'This memo doesn’t exist, or it was withdrawn.')
      memo.counter += add ? 1 : -1
      return HttpResponse.json(likeMemoReply.parse({ id, counter: memo.counter }))
    }),
  )
  apiServer.events.on('request:start', ({ request }) => {
    site.calls.push(`${request.method} ${new URL(request.url).pathname}`)
  })
}

/** Returns an error reply in the shape that every route uses. */
export function errorResponse(status: number, code: string, message: string) {
  return HttpResponse.json(errorReply.parse({ error: { code, message } }), { status })
}

function behindGate(site: FakeSite, respond: () => Response) {
  if (site.gate.on && !site.gate.passed)
    return errorResponse(401, 'gate-required', 'Enter the site password first.')
  return respond()
}

function gateOf({ gate }: FakeSite) {
  return { on: gate.on, passed: gate.passed }
}
