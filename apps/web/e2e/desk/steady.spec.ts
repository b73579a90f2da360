import type { Locator } from '@playwright/test'
import type { DeskNeeds } from '@tidings/contracts/desk/needs/needs'
import { editorOf } from '../editor.ts'
import { expectSteady, watchShifts } from '../shifts.ts'
import { test } from './desk-page.ts'
import { draftOf, publishAndSend } from './publish-data.ts'
import { reportedComments } from './reported-comments.ts'
import { picture } from './test-picture.ts'
import { saved, textOf, typeAtEnd } from './written-memo.ts'

/** The requests that a screen waits for. The person and the countdown above it are read before. */
const requests = /\/desk\/(?:v1\/(?!you$|deliveries\/progress$)|static\/(?:rich-text|preview-pane))/

const needs: DeskNeeds = {
  failedSends: [{ edition: '03-01-44-10AM', digest: null, isHeld: false, failed: 1, reason: '554 refused' }],
  leftOut: [],
  deadLinks: [],
  bounces: { emails: 0, suppressed: 0 },
}

for (const [width, height, day] of [
  [390, 844, '05-07-51'],
  [1440, 900, '05-08-51'],
] as const) {
  test(`no screen moves while its parts arrive, at ${width} px`, async ({ desk, request }) => {
    const key = `${day}-3PM`
    await desk.setViewportSize({ width: 1440, height: 900 })
    await draftOf(request, `${day}-10AM`, [
      'A published memo',
      'Another one',
      'A third',
      'A fourth',
      'A fifth',
    ])
    await publishAndSend(request, `${day}-10AM`)
    await reportedComments(request, `${day}-10AM`, ['Buy it', 'Buy it now'])
    await draftOf(request, key, ['A memo with a picture', 'Another memo'])
    await desk.goto(`/desk/editions/${key}`)
    await desk.getByLabel('Picture', { exact: true }).setInputFiles(await picture())
    await desk.getByLabel('Decorative').check()
    await typeAtEnd(desk, ' A word.')
    await saved(desk)
    const memo = new URL(desk.url()).pathname
    const { id } = await editorOf(request).articleOf(null)
    await desk.setViewportSize({ width, height })
    // An edition that another test publishes meanwhile puts its countdown above every screen.
    await desk.route('**/deliveries/progress', (route) => route.fulfill({ json: { data: [] } }))
    await desk.route('**/desk/v1/needs', (route) => route.fulfill({ json: { data: needs } }))
    await watchShifts(desk)

    const screens: [path: string, useful: Locator][] = [
      ['/desk', desk.getByText(/ comments were reported\.$/)],
      [`/desk/days/${day}`, desk.getByRole('heading', { name: 'Delivered' })],
      [memo, textOf(desk)],
      [`${memo}/versions`, desk.getByText(/^Comparing/)],
      [`/desk/editions/${day}-10AM`, desk.getByText('Another one').first()],
      [`/desk/editions/${day}-10AM/delivery`, desk.getByRole('heading', { name: 'Delivered' })],
      [`/desk/articles/${id}`, textOf(desk)],
      ['/desk/archive', desk.getByText(/, \d+ memos?$/).first()],
      ['/desk/comments', desk.getByText('That is every report.')],
      ['/desk/numbers', desk.getByText('Most liked')],
      ['/desk/people', desk.getByText('owner@tidings.example').first()],
      ['/desk/you', desk.getByText('This device').first()],
    ]
    for (const [path, useful] of screens)
      for (const first of ['newest', 'oldest'] as const)
        await expectSteady(desk, { path, requests, first, useful })
  })
}
