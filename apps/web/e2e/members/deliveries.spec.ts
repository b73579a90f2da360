import { editorOf } from '../editor.ts'
import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { mailTo } from '../membership/inbox.ts'
import { createSubscriber, expect, openSession, submit, test } from './member.ts'

// The seeded members: each chose another method, and the one with PDFs by email A4 pages.
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
  expect((await mailTo(pdfs, title)).text).toContain('open it with pages that fit the screen')
  const page = await fetch(linkIn((await mailTo(texts, title)).text))
  expect([page.status, (await page.text()).includes(title)]).toEqual([200, true])
  const pdf = await fetch(linkIn((await mailTo(pdfTexts, title)).text))
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
})

test('a member who receives PDFs chooses their pages by keyboard, and keeps them', async ({ reader }) => {
  await openSession(reader, await createSubscriber(reader))
  await reader.goto('/#/account/dashboard')
  await reader.getByLabel('Name').fill('Ada Reader')
  await reader.getByLabel('Phone number').fill('+12133734253')
  const pages = reader.getByRole('group', { name: 'Pages of the PDF' })
  await expect(reader.getByText('The next edition comes by email')).toBeVisible()
  await expect(pages).toBeHidden()
  await turnPdf(true)

  await pages.getByRole('radio', { name: 'Phone' }).focus()
  await reader.keyboard.press('ArrowRight')

  await expect(reader.getByText('Your next PDF has A4 pages.')).toBeVisible()
  const printing = pages.getByRole('radio', { name: 'A4, for printing' })
  await expect(printing).toBeFocused()
  await expectAccessiblePage(reader, 'Subscription options')
  await reader.reload()
  await expect(printing).toBeChecked()
  await turnPdf(false)
  await expect(pages).toBeHidden()

  async function turnPdf(isOn: boolean): Promise<void> {
    await reader.getByRole('switch', { name: 'PDF by e-mail' }).setChecked(isOn)
    await submit(reader)
  }
})

/** Returns the link in a text, which is on a line of its own. */
function linkIn(text: string): string {
  return text.split('\n')[1] ?? ''
}
