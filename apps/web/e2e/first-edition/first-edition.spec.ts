import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { startSite } from '@tidings/launcher/site'
import sharp from 'sharp'
import { addAuthenticator } from '../desk/desk-page.ts'
import { expect, test } from '../reader.ts'
import { type Newcomer, newcomerAt } from './newcomer.ts'

const fixtures = new URL('../../../../packages/paste/fixtures/', import.meta.url)

/** Five memos come from other programs, and the last one is typed. */
const pasted = [
  { title: 'Ports plug in their ships', program: 'word-desktop', picture: 'A ferry at a quay' },
  { title: 'Rivers are warmer', program: 'google-docs', picture: 'A river in summer' },
  { title: 'A bridge opens', program: 'libreoffice', picture: null },
  { title: 'Fewer night flights', program: 'apple-notes', picture: null },
  { title: 'Schools get a garden', program: 'outlook', picture: null },
]

const typedTitle = 'The library stays open'
const typedText = 'Its doors close at ten now, and on Sundays it opens at noon.'

const mostActions = 200

test.describe('a first edition', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('is written, sent, corrected and withdrawn by someone who never saw the desk', async ({
    page,
    consoleErrors,
  }) => {
    // The browser reports that there is no edition yet.
    consoleErrors.ignore()
    // An edition waits for its delivery as long as by default.
    const env = { DELIVERY_DELAY_SECONDS: '60' }
    const site = await startSite({ env, workers: 0, seedPictureWidthPx: 360 })
    try {
      const person = newcomerAt(page)
      await addAuthenticator(page)
      await page.goto(await site.makeSignInLink())
      await enter(person)
      await write(person)
      await putInOrder(person)
      await lookAtPreviews(person, page)
      await sendTest(person, site.inboxUrl)
      await publish(person)
      await stopAndSend(person)
      await correct(person)
      await withdraw(person)

      expect(person.count()).toBeLessThan(mostActions)
      test.info().annotations.push({ type: 'actions', description: String(person.count()) })
    } finally {
      await site.stop()
    }
  })
})

async function enter({ press, see }: Newcomer): Promise<void> {
  await see('Sign in to the desk')
  await press('Sign in')
  await see('Today')
  // Today and tomorrow have editions of the seed.
  await press(/ ›$/)
  await press(/ ›$/)
  await press('Start')
}

async function write({ press, fill, focus, paste, type, choose, see, seeEmpty }: Newcomer): Promise<void> {
  for (const { title, program, picture } of pasted) {
    await press('Add memo')
    await seeEmpty('Title')
    await fill('Title', title)
    await focus('Text')
    await paste(await readFile(new URL(`${program}.html`, fixtures), 'utf8'))
    if (picture !== null) {
      await choose('Add a picture', {
        name: 'picture.png',
        mimeType: 'image/png',
        buffer: await sharp({ create: { width: 640, height: 360, channels: 3, background: '#7a8' } })
          .png()
          .toBuffer(),
      })
      await fill(/^Alt text/, picture)
    }
    await see(/^Saved \d+ s ago$/)
    await press('Mark as ready')
  }
  await press('Add memo')
  await seeEmpty('Title')
  await fill('Title', typedTitle)
  await focus('Text')
  await type(typedText)
  await press('Mark as ready')
  await see(/6 of 6 memos ready/)
}

async function putInOrder({ key, see, focus }: Newcomer): Promise<void> {
  await focus('Text')
  await key('Alt+ArrowUp')
  await see(`${typedTitle}, place 5 of 6`)
}

async function lookAtPreviews({ press, seeInFrame, see }: Newcomer, page: Page): Promise<void> {
  await press('Email')
  await seeInFrame(typedTitle)
  await press('Text')
  await see(/STOP|http/)
  await press('PDF')
  await see('Open the PDF')
  const pdf = await page.request.get(await linkTo(page, 'Open the PDF'))
  expect((await pdf.body()).toString('latin1', 0, 5)).toBe('%PDF-')
  await press('Phone')
  await see(typedTitle)
}

async function sendTest({ press, see }: Newcomer, inboxUrl: string): Promise<void> {
  await press('Test…')
  await press('Send test')
  await see(/^Sent to /)
  await press('Close')
  const response = await fetch(`${inboxUrl}/messages?to=owner@tidings.example`)
  expect(await response.text()).toContain('[Test]')
}

async function publish({ press, see }: Newcomer): Promise<void> {
  await press('Schedule…')
  await press(/^Schedule for /)
  await see(/Scheduled/)
  await press('Back to draft')
  await see('Back to draft. Nothing is sent.')
  await press('Schedule…')
  await press(/^Now /)
  // An edition of a later day goes to members early only if someone says so.
  await press('Send it to members')
  await press('Publish now')
  await see(/is public\. In \d+ s it goes to/)
}

async function stopAndSend({ press, see }: Newcomer): Promise<void> {
  await press('Stop. Send nothing yet')
  await see(/^Stopped\./)
  await press('Send now')
  await press('Delivery')
  await see('Delivered')
}

async function correct({ press, focus, key, type, fill, see, seeNoMore }: Newcomer): Promise<void> {
  await press('10AM')
  await press(typedTitle)
  await focus('Text')
  await key('Control+End')
  await type(' It is free for everyone.')
  await see('This memo is public. Your changes are not.')
  await fill(/^Note for readers/, 'We added the price.')
  await press('Publish correction')
  await seeNoMore('This memo is public. Your changes are not.')
}

async function withdraw({ press, see }: Newcomer): Promise<void> {
  await press('Fewer night flights')
  await press('Withdraw…')
  await see(/it in their mail/)
  await press('Withdraw')
  await see(/^Withdrew /)
  await press('Undo')
  await press('Fewer night flights')
  await see('Public')
}

async function linkTo(page: Page, name: string): Promise<string> {
  return (await page.getByRole('link', { name }).getAttribute('href')) ?? ''
}
