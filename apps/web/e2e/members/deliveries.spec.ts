import { editorOf } from '../editor.ts'
import { mailTo } from '../membership/inbox.ts'
import { expect, test } from './member.ts'

// The seeded members: each chose another method.
const memos = 'memos@tidings.example'
const texts = '+12025550123'
const pdfs = 'pages@tidings.example'
const pdfTexts = '+12025550124'

test('an edition reaches each seeded member in the chosen way, and texts open without the gate', async ({
  reader,
}) => {
  const title = `Ferries ${process.pid}, round ${test.info().repeatEachIndex}`
  await editorOf(reader.request).deliver(title)

  expect((await mailTo(memos, title)).text).toContain('you chose memos by email')
  expect((await mailTo(pdfs, title)).text).toContain('This edition is attached as a PDF.')
  const page = await fetch(linkIn((await mailTo(texts, title)).text))
  expect([page.status, (await page.text()).includes(title)]).toEqual([200, true])
  const pdf = await fetch(linkIn((await mailTo(pdfTexts, title)).text))
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
})

/** Returns the link in a text, which is on a line of its own. */
function linkIn(text: string): string {
  return text.split('\n')[1] ?? ''
}
