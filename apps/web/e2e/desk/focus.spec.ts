import { expectUncoveredFocus } from '../covered-focus.ts'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { draftOf, publishAndSend } from './publish-data.ts'
import { reportedComments } from './reported-comments.ts'

const numbers = Array.from({ length: 12 }, (_, index) => index + 1)

for (const [width, height, day] of [
  [390, 600, '05-17-51'],
  [1440, 500, '05-18-51'],
] as const) {
  test(`nothing covers the focus on any screen, at ${width} px`, async ({ desk, request }) => {
    const titles = numbers.map((number) => `Memo ${number} of a long edition`)
    await draftOf(request, `${day}-10AM`, titles)
    await publishAndSend(request, `${day}-10AM`)
    const advertisements = numbers.map((number) => `Buy it ${number}`)
    await reportedComments(request, `${day}-10AM`, advertisements)
    await draftOf(request, `${day}-3PM`, titles)
    const [memo] = await editorOf(request).memosOf(`${day}-3PM`)
    const { id } = await editorOf(request).articleOf(null)
    await desk.setViewportSize({ width, height })
    for (const screen of [
      '',
      `days/${day}`,
      `editions/${day}-10AM`,
      `editions/${day}-10AM/delivery`,
      `editions/${day}-3PM/memos/${memo?.id}`,
      `editions/${day}-3PM/memos/${memo?.id}/versions`,
      'articles',
      `articles/${id}`,
      'archive',
      'comments',
      'members',
      'numbers',
      'people',
      'you',
      `editions/${day}-3PM`,
    ]) {
      await desk.goto(`/desk/${screen}`)
      await expect(desk.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await desk.waitForLoadState('networkidle')
      await expectUncoveredFocus(desk, screen)
    }
    await desk.getByRole('button', { name: 'Schedule…' }).click()
    await expect(desk.getByRole('dialog').getByRole('link', { name: 'Go to it' }).last()).toBeVisible()
    await expectUncoveredFocus(desk, 'the dialog to publish')
  })
}
