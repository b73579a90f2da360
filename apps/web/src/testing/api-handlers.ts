import { archiveListReply, timeListReply } from '@tidings/contracts/editions'
import { errorReply } from '@tidings/contracts/errors'
import { entryBoxReply, entryBoxRequest, gateReply, gateRequest } from '@tidings/contracts/gate'
import { likeMemoReply, likeMemoRequest } from '@tidings/contracts/likes'
import { editionReply, type Memo } from '@tidings/contracts/memos'
import { paths } from '@tidings/contracts/paths'
import { HttpResponse, http } from 'msw/http'
import { setupServer } from 'msw/node'

/** What the stand-in for the API has and remembers; each test makes its own. */
export type FakeSite = {
  gate: { on: boolean; passed: boolean; password: string }
  /** Memos by edition key. */
  editions: Record<string, Memo[]>
  /** Every request, as `GET /gate`, in order. */
  calls: string[]
}

/** Intercepts the page's calls. Without handlers every call fails the test. */
export const apiServer = setupServer()

/** A memo on the wire, complete unless told otherwise. */
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

/** An id that is the same for the same title. */
function idOf(title: string): string {
  const sum = [...title].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 16 ** 8, 7)
  return `00000000-0000-4000-8000-${sum.toString(16).padStart(12, '0')}`
}

/** A site whose gate is passed, with the given editions. */
export function fakeSite(site: Partial<FakeSite> = {}): FakeSite {
  return { gate: { on: true, passed: true, password: 'tidings' }, editions: {}, calls: [], ...site }
}

/** Answers every call of the page from the site; each body passes the contract's schema. */
export function serve(site: FakeSite): void {
  apiServer.use(
    http.get(paths.gate, () => HttpResponse.json(gateReply.parse({ data: pick(site) }))),
    http.post(paths.gate, async ({ request }) => {
      const { password } = gateRequest.parse(await request.json())
      if (password !== site.gate.password) return refuse(401, 'invalid-password', 'Invalid password')
      site.gate.passed = true
      return HttpResponse.json(gateReply.parse({ data: pick(site) }))
    }),
    http.post(paths.protect, async ({ request }) => {
      const { tool } = entryBoxRequest.parse(await request.json())
      if (tool === 'nonsense')
        return refuse(400, 'invalid-contact', 'That is neither a phone number nor an e-mail address')
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
      if (memos === undefined) return refuse(404, 'edition-not-found', 'There is no such edition')
      return behindGate(site, () => HttpResponse.json(editionReply.parse(memos)))
    }),
    http.post(paths.updateCounter, async ({ request }) => {
      const { id, add } = likeMemoRequest.parse(await request.json())
      const memo = Object.values(site.editions)
        .flat()
        .find(({ _id }) => _id === id)
      if (memo === undefined) return refuse(404, 'memo-not-found', 'There is no such memo')
      memo.counter += add ? 1 : -1
      return HttpResponse.json(likeMemoReply.parse({ id, counter: memo.counter }))
    }),
  )
  apiServer.events.on('request:start', ({ request }) => {
    site.calls.push(`${request.method} ${new URL(request.url).pathname}`)
  })
}

/** A refusal as every route answers it. */
export function refuse(status: number, code: string, message: string) {
  return HttpResponse.json(errorReply.parse({ error: { code, message } }), { status })
}

function behindGate(site: FakeSite, answer: () => Response) {
  if (site.gate.on && !site.gate.passed) return refuse(401, 'gate-required', 'The password is needed first')
  return answer()
}

function pick({ gate }: FakeSite) {
  return { on: gate.on, passed: gate.passed }
}
