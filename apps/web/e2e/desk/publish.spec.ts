import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { draftOf, publishForLater } from './publish-data.ts'
import { mailWithHtmlTo } from './test-mail.ts'

test.describe('publishing at the desk', () => {
  test('schedules an edition for another time, and takes it back to draft', async ({ desk, request }) => {
    await draftOf(request, '03-04-42-3PM', ['Ships plug in'])
    await desk.goto('/desk/days/03-04-42')
    const slot = desk.getByRole('region', { name: '3PM' })

    await slot.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Schedule 3PM of Tuesday, March 4' })
    await expect(dialog.getByRole('rowheader', { name: 'Together' })).toBeVisible()
    await expect(dialog.getByText('“Ships plug in” isn’t marked as ready.')).toBeVisible()
    expect(await violations(desk)).toEqual([])
    await dialog.getByRole('radio', { name: 'At another time that day' }).check()
    await dialog.getByLabel('Time on the site’s clock').fill('23:59')
    await expect(dialog.getByRole('alert').first()).toContainText('Choose a time before')
    await dialog.getByLabel('Time on the site’s clock').fill('16:30')
    await dialog.getByRole('button', { name: 'Schedule for 4:30 PM' }).click()

    await expect(dialog).toBeHidden()
    await expect(slot.getByText('Scheduled')).toBeVisible()
    await expect(slot.getByText(/^4:30 PM/)).toBeVisible()
    await slot.getByRole('button', { name: 'Back to draft' }).click()
    await expect(slot.getByText('Back to draft. Nothing is sent.')).toBeVisible()
    await expect(slot.getByText('Not scheduled.')).toBeVisible()
  })

  test('sends a test first, with the subject that is typed, and publishes nothing', async ({
    desk,
    request,
  }) => {
    const to = 'first-a-test@example.com'
    await draftOf(request, '03-10-42-3PM', ['Ships plug in'])
    await desk.goto('/desk/days/03-10-42')
    const slot = desk.getByRole('region', { name: '3PM' })
    await slot.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog', { name: /^Schedule 3PM/ })
    await dialog.getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel('Subject').fill('One price for shore power')
    await dialog.getByRole('button', { name: 'Send a test first' }).click()
    const trial = desk.getByRole('dialog', { name: 'Send a test of 3PM' })
    expect(await violations(desk)).toEqual([])
    await trial.getByLabel('Email address').fill(to)
    await desk.keyboard.press('Control+Enter')
    await trial.getByRole('button', { name: 'Send test' }).click()
    await expect(trial.getByText(`Sent to ${to}.`)).toBeVisible()
    expect((await mailWithHtmlTo(to, 'Ships plug in')).subject).toBe('[Test] One price for shore power')

    await desk.keyboard.press('Escape')

    await expect(trial).toBeHidden()
    await expect(dialog.getByLabel('Subject')).toHaveValue('One price for shore power')
    await desk.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await desk.reload()
    await slot.getByRole('button', { name: 'Schedule…' }).click()
    await expect(dialog.getByLabel('Subject')).toHaveValue('One price for shore power')
    await expect(dialog.getByText(/^Not saved yet; saved is the first title\./)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    await expect(dialog.getByText('Subject: the first title')).toBeVisible()
    await desk.reload()
    await slot.getByRole('button', { name: 'Schedule…' }).click()
    await expect(dialog.getByText('Subject: the first title')).toBeVisible()
    await desk.keyboard.press('Escape')
    await expect(slot.getByText('Not scheduled.')).toBeVisible()
  })

  test('says what failed until that is closed', async ({ desk, request, consoleErrors }) => {
    // The browser reports the requests without a reply.
    consoleErrors.ignore()
    await draftOf(request, '03-09-42-3PM', ['Ships plug in'])
    await desk.route('**/desk/v1/editions/03-09-42-3PM', async (route) =>
      route.request().method() === 'PUT' ? await route.abort() : await route.fallback(),
    )
    await desk.goto('/desk/days/03-09-42')
    await desk.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog')
    const failure = dialog.getByText(/^The desk can’t be reached/)

    await dialog.getByRole('button', { name: 'Schedule for 3:00 PM' }).click()
    await expect(failure).toBeVisible()
    expect(await violations(desk)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(failure).toBeHidden()

    await dialog.getByRole('button', { name: 'Schedule for 3:00 PM' }).click()
    await expect(failure).toBeVisible()
  })

  test('publishes only the version that was seen', async ({ desk, request, consoleErrors }) => {
    // The browser reports the refused request.
    consoleErrors.ignore()
    const key = '03-05-42-3PM'
    await draftOf(request, key, ['Ships plug in'])
    // Without events, the desk learns of the change only by the refusal.
    await desk.routeWebSocket(/\/desk\/socket/, () => undefined)
    await desk.goto('/desk/days/03-05-42')
    await desk.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Now' }).check()
    await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeEnabled()
    await editorOf(request).addMemo(key, 'A late one')

    await dialog.getByRole('button', { name: 'Publish now' }).click()

    await expect(dialog.getByText(/changed it\. Look again\.$/)).toBeVisible()
    await expect(dialog.getByText('New: “A late one”')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Look again' }).click()
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await expect(dialog).toBeHidden()
    await expect(desk.getByRole('region', { name: '3PM' }).getByText(/Published/)).toBeVisible()
  })

  test('refuses a memo without text, and says which', async ({ desk, request }) => {
    await draftOf(request, '03-06-42-3PM', ['Ships plug in'], { memo_content: '' })
    await desk.goto('/desk/days/03-06-42')

    await desk.getByRole('button', { name: 'Schedule…' }).click()

    const dialog = desk.getByRole('dialog')
    await expect(dialog.getByText('Memo 1 has no text. Write it or delete it.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Schedule for 3:00 PM' })).toBeDisabled()
  })

  test('counts down to a delivery, stops it and sends it', async ({ desk, request }) => {
    const key = '03-07-42-3PM'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto('/desk/you')
    await publishForLater(request, key)
    await desk.reload()

    const strip = desk.getByRole('region', { name: /^Delivery of 3PM, .* March 7$/ })
    await expect(
      strip.getByText(/^3PM is public\. In \d+ (s|min) it goes to \d+ members?\.$/).first(),
    ).toBeVisible()
    expect(await violations(desk)).toEqual([])
    await strip.getByRole('button', { name: 'Stop. Send nothing yet' }).click()
    await expect(strip.getByText('Stopped. 3PM stays on the site; nothing was sent.').first()).toBeVisible()
    await desk.goto(`/desk/editions/${key}/delivery`)
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Stopped')
    expect(await violations(desk)).toEqual([])
    await desk.getByRole('button', { name: 'Resume' }).click()

    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Delivered')
    await expect(strip).toBeHidden()
    await expect(desk.getByRole('row', { name: /^Together/ })).toBeVisible()
    await desk.goto('/desk/days/03-07-42')
    const slot = desk.getByRole('region', { name: '3PM', exact: true })
    await expect(slot.getByRole('heading')).toHaveText('Delivered')
    await expect(slot.getByRole('link', { name: 'Delivery' })).toBeVisible()
  })
})

test.describe('scheduling far from the newsroom', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('shows the clock of the site and the own one', async ({ desk, request }) => {
    await draftOf(request, '03-08-42-3PM', ['Ships plug in'])
    await desk.goto('/desk/days/03-08-42')
    const slot = desk.getByRole('region', { name: '3PM' })
    await slot.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog')
    await expect(
      dialog.getByRole('radio', { name: /^At 3:00 PM in Los Angeles, 6:00 PM here/ }),
    ).toBeVisible()
    await dialog.getByRole('radio', { name: 'At another time that day' }).check()
    await dialog.getByLabel('Time on the site’s clock').fill('16:30')
    await expect(dialog.getByText(/^4:30 PM in Los Angeles, 7:30 PM here/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Schedule for 4:30 PM' }).click()
    await expect(slot.getByText(/^4:30 PM in Los Angeles, 7:30 PM here/)).toBeVisible()
    await slot.getByRole('button', { name: 'Back to draft' }).click()
    await expect(slot.getByText('Not scheduled.')).toBeVisible()

    await desk.goto('/desk/people/log')
    // In one moment: other tests add entries.
    const [at, shown, tip] = await desk
      .locator('.people-log time')
      .first()
      .evaluate((time: HTMLTimeElement) => [time.dateTime, time.textContent, time.title])
    const clockIn = (timeZone: string) => new Date(at ?? '').toLocaleTimeString('en', { ...clock, timeZone })
    expect(shown).toContain(clockIn('America/Los_Angeles'))
    expect(tip).toContain(clockIn('America/New_York'))
  })
})

const clock = { hour: 'numeric', minute: '2-digit' } as const

async function violations(page: Page): Promise<string[]> {
  return [...(await violationsInLight(page)), ...(await violationsInDark(page))]
}
