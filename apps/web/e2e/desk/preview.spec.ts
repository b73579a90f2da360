import type { Locator, Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { editorOf } from '../editor.ts'
import { openScreen } from '../reader.ts'
import { expect, test } from './desk-page.ts'
import { draftOf } from './publish-data.ts'
import { mailWithHtmlTo } from './test-mail.ts'

const saves = '**/working-copy'
const words = 'Nine harbours now charge one price.'

const textOf = (desk: Page) => desk.getByRole('textbox', { name: 'Text', exact: true })
const previewOf = (desk: Page) => desk.getByRole('region', { name: 'Preview' })
const saved = (desk: Page) => expect(desk.getByText(/^Saved \d+ s ago/)).toBeVisible()

/** Returns the markup of the open memo's body, but for its likes. */
async function bodyOf(page: Locator): Promise<string[]> {
  return await page
    .locator('.memo-open > :not(.memo-actions)')
    .evaluateAll((parts) => parts.map(({ outerHTML }) => outerHTML))
}

/** Returns the words of a page of HTML. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test.describe('the previews of an edition', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('have words that aren’t saved yet, and equal what is sent and published', async ({
    desk,
    request,
    reader,
    browser,
  }) => {
    const key = '04-02-36-3PM'
    await draftOf(request, key, ['Ships plug in', 'Rains end'])
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await desk.route(saves, async (route) => {
      if (route.request().method() === 'PUT') await released
      await route.continue()
    })
    await desk.goto(`/desk/editions/${key}`)
    const preview = previewOf(desk)
    await textOf(desk).fill(words)
    await textOf(desk).press('Control+A')
    await textOf(desk).press('Control+B')
    await expect(preview.locator('.memo-open strong, .memo-open b')).toHaveText(words)
    await expect(preview.getByRole('button', { name: 'Rains end' })).toBeVisible()
    expect(await violationsInLight(desk)).toEqual([])
    expect(await violationsInDark(desk)).toEqual([])
    const shownBody = await bodyOf(preview)

    await preview.getByRole('button', { name: 'Email', exact: true }).click()
    const email = preview.frameLocator('iframe[title="Email"]').first()
    await expect(email.getByText(words)).toBeVisible()
    const address = await preview.locator('iframe[title="Email"]').last().getAttribute('src')
    const shownEmail = await (await request.get(address ?? '')).text()
    await preview.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(preview.getByText(/Ships plug in; Rains end/)).toBeVisible()
    await preview.getByRole('button', { name: 'PDF', exact: true }).click()
    await expect(preview.getByRole('link', { name: 'Open the PDF' })).toBeVisible()

    await preview.getByRole('button', { name: 'Test…' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Send a test of 3PM' })
    await dialog.getByRole('radio', { name: 'Email', exact: true }).check()
    await dialog.getByLabel('Email address').fill('preview-test@example.com')
    expect(await violationsInLight(desk)).toEqual([])
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await expect(dialog.getByText('Sent to preview-test@example.com.')).toBeVisible()
    const mail = await mailWithHtmlTo('preview-test@example.com', words)
    expect(mail.subject).toBe('[Test] 3PM: Ships plug in, and 1 more')
    expect(wordsOf(mail.html)).toBe(wordsOf(shownEmail))
    await dialog.getByRole('button', { name: 'Close' }).click()

    release()
    await saved(desk)
    await editorOf(request).publishAs(key, [])
    const site = await browser.newPage({ storageState: await reader.context().storageState() })
    await openScreen(site, `/#/edition/${key}`)
    await site.getByRole('button', { name: 'Ships plug in' }).click()
    expect(await bodyOf(site.locator('main'))).toEqual(shownBody)

    await textOf(desk).fill('Corrected words.')
    await preview.getByRole('button', { name: 'Phone', exact: true }).click()
    await expect(preview.locator('.memo-open').first()).toContainText('Corrected words.')
    await desk.getByLabel('Note for readers').fill('It was one price.')
    await expect(preview.getByText(/^Corrected at .*: It was one price\.$/)).toBeVisible()
    await saved(desk)
    await site.reload()
    await expect(site.getByText(words)).toBeVisible()
    await site.close()
  })

  test('follow a subject that isn’t saved yet, which tests have and publishing saves', async ({
    desk,
    request,
  }) => {
    const key = '04-06-36-3PM'
    const subject = 'One price for shore power'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto(`/desk/editions/${key}`)
    const preview = previewOf(desk)
    await preview.getByRole('button', { name: 'Email', exact: true }).click()
    await expect(preview.getByText('Subject 3PM: Ships plug in')).toBeVisible()
    await desk.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog', { name: /^Schedule 3PM/ })
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByLabel('Subject').fill(subject)
    await expect(
      dialog.getByText(/^Not saved yet; saved is the first title\. Previews and tests have it/),
    ).toBeVisible()
    const shown = preview.getByText(`Subject ${subject} · not saved yet`)
    // The dialog hides what is behind it from assistive technology only.
    await expect(desk.getByText(`Subject ${subject} · not saved yet`)).toBeVisible()
    expect(await violationsInLight(desk)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    await expect(shown).toBeVisible()

    await preview.getByRole('button', { name: 'Test…' }).click()
    const testDialog = desk.getByRole('dialog', { name: 'Send a test of 3PM' })
    await testDialog.getByLabel('Email address').fill('subject-test@example.com')
    await testDialog.getByRole('button', { name: 'Send test' }).click()
    await expect(testDialog.getByText('Sent to subject-test@example.com.')).toBeVisible()
    const mail = await mailWithHtmlTo('subject-test@example.com', 'Ships plug in')
    expect(mail.subject).toBe(`[Test] ${subject}`)
    await testDialog.getByRole('button', { name: 'Close' }).click()

    await desk.getByRole('button', { name: 'Schedule…' }).click()
    await expect(dialog.getByLabel('Subject')).toHaveValue(subject)
    await dialog.getByRole('button', { name: /^Schedule for/ }).click()
    await expect(dialog).toBeHidden()
    await expect(preview.getByText(`Subject ${subject}`, { exact: true })).toBeVisible()
    await desk.getByRole('button', { name: 'Change or send…' }).click()
    await expect(dialog.getByText(`Subject: “${subject}”`)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await desk.getByRole('button', { name: 'Back to draft' }).click()
    await expect(desk.getByText('Back to draft. Nothing is sent.')).toBeVisible()
  })

  test('say that the newest words have none, and keep the last one', async ({
    desk,
    request,
    consoleErrors,
  }) => {
    // The browser reports each request that failed.
    consoleErrors.ignore()
    await draftOf(request, '04-03-36-3PM', ['Ships plug in'])
    await desk.goto('/desk/editions/04-03-36-3PM')
    const preview = previewOf(desk)
    await preview.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(preview.getByText(/Ships plug in/)).toBeVisible()
    await desk.route('**/preview/sms', (route) => route.abort())
    await desk.getByLabel('Title').fill('Ships unplug')
    await expect(preview.getByText('Below is the last preview, without the newest words.')).toBeVisible()
    await expect(preview.getByText(/Ships plug in/)).toBeVisible()
    await desk.unroute('**/preview/sms')
    await preview.getByRole('button', { name: 'Try again' }).click()
    await expect(preview.getByText(/Ships unplug/)).toBeVisible()
    await expect(preview.getByRole('alert')).toBeHidden()
  })

  test('keep their place while words are typed, on the phone within 300 ms', async ({ desk, request }) => {
    const key = '04-05-36-3PM'
    const paragraphs = Array.from({ length: 60 }, (_, index) => `<p>Harbour ${index} opens.</p>`).join('')
    await draftOf(request, key, ['Ships plug in'], { memo_content: paragraphs })
    await desk.goto(`/desk/editions/${key}`)
    const preview = previewOf(desk)
    const page = preview.locator('.preview-page')
    await expect(page.getByText('Harbour 59 opens.')).toBeVisible()
    const scrolled = await page.evaluate((each) => {
      each.scrollTop = 500
      return each.scrollTop
    })
    expect(scrolled).toBe(500)
    await textOf(desk).focus()
    await desk.keyboard.press('ControlOrMeta+Home')
    const waits: number[] = []
    for (const typed of ['a', 'ab', 'abc']) {
      await page.evaluate((each, words) => {
        let pressedAt = 0
        const noteKey = ({ timeStamp }: Event) => {
          pressedAt = timeStamp
        }
        addEventListener('keydown', noteKey, { capture: true, once: true })
        each.removeAttribute('data-waited')
        const observer = new MutationObserver(() => {
          if (!each.textContent.includes(words)) return
          observer.disconnect()
          each.setAttribute('data-waited', String(new Event('shown').timeStamp - pressedAt))
        })
        observer.observe(each, { childList: true, subtree: true, characterData: true })
      }, `${typed}Harbour 0`)
      await desk.keyboard.press(typed.slice(-1))
      await expect(page).toHaveAttribute('data-waited', /./)
      waits.push(Number(await page.getAttribute('data-waited')))
    }
    // A busy machine may delay some of them.
    expect(Math.min(...waits)).toBeLessThan(300)
    expect(await page.evaluate((each) => each.scrollTop)).toBe(500)
  })

  test('take the place of the text in a narrow window, by key and by word', async ({ desk, request }) => {
    await draftOf(request, '04-04-36-3PM', ['Ships plug in'])
    await desk.setViewportSize({ width: 1024, height: 800 })
    await desk.goto('/desk/editions/04-04-36-3PM')
    await expect(textOf(desk)).toBeVisible()
    await desk.keyboard.press('p')
    await expect(previewOf(desk).getByRole('button', { name: 'Phone' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await expect(textOf(desk)).toBeHidden()
    await desk.keyboard.press('p')
    await expect(previewOf(desk).getByRole('button', { name: 'Email' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await desk.getByRole('button', { name: 'Back to the text' }).click()
    await expect(textOf(desk)).toBeVisible()

    await desk.setViewportSize({ width: 390, height: 844 })
    const tabs = desk.getByRole('group', { name: 'Memo' })
    await tabs.getByRole('button', { name: 'Picture' }).click()
    await expect(desk.getByRole('button', { name: 'Add a picture' })).toBeVisible()
    await expect(textOf(desk)).toBeHidden()
    await tabs.getByRole('button', { name: 'Preview' }).click()
    await previewOf(desk).getByRole('button', { name: 'Phone' }).click()
    await expect(previewOf(desk).getByRole('button', { name: 'Ships plug in' })).toBeVisible()
    expect(await violationsInLight(desk)).toEqual([])
    await tabs.getByRole('button', { name: 'Write' }).click()
    await expect(textOf(desk)).toBeVisible()
  })
})
