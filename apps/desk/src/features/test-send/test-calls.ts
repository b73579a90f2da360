import * as routes from '@tidings/contracts/desk/routes'
import type { UnsavedEdition } from '@tidings/contracts/desk/unsaved'
import { type CalendarDate, formatWireDate } from '@tidings/contracts/edition-key'
import { call } from '#lib/api/call.ts'

export type TestMethod = 'memo-email' | 'memo-sms' | 'pdf-email' | 'pdf-sms' | 'digest'

/** An edition to test, with the words at the desk. Without memos, the test has the stored ones. */
export type TestedEdition = {
  day: CalendarDate
  unsaved: Omit<UnsavedEdition, 'memos'> & Partial<Pick<UnsavedEdition, 'memos'>>
}

export type Test = TestedEdition & { method: TestMethod; to: string }

/** A server took the test, or didn't. */
type Outcome = {
  outcome: 'accepted' | 'temporary' | 'permanent' | 'unavailable' | 'unknown'
  response: string
}

/** Sends a test. Returns its recipient once a server has accepted it, and throws what to do otherwise. */
export async function sendTest(test: Test, idempotencyKey: string): Promise<string> {
  const refusal = refusalOf(await send(test, { idempotencyKey }))
  if (refusal !== null) throw new Error(refusal)
  return test.to
}

async function send(
  { day, unsaved, method, to }: Test,
  options: { idempotencyKey: string },
): Promise<Outcome> {
  const { edition, ...text } = unsaved
  const { memos } = text
  if (method === 'digest') {
    const params = { date: formatWireDate(day) }
    const body = { method, to, unsaved: memos === undefined ? undefined : { ...unsaved, memos } }
    return (await call(routes.testDigest, { params, body }, options)).data
  }
  return (
    await call(routes.testEdition, { params: { key: edition }, body: { method, to, ...text } }, options)
  ).data
}

function refusalOf({ outcome, response }: Outcome): string | null {
  const said = response === '' ? '' : ` It said: ${response}`
  switch (outcome) {
    case 'accepted':
      return null
    case 'temporary':
      return `Not sent: the server refused it for now. Try again in a few minutes.${said}`
    case 'permanent':
      return `Not sent: the server refused this address. Check it, or choose another one.${said}`
    case 'unavailable':
      return `Not sent: the server can’t be reached. Try again in a few minutes.${said}`
    case 'unknown':
      return `The reply of the server was lost, so the test may have arrived. Look there before you send it again.${said}`
  }
}
