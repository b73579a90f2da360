import type { APIRequestContext } from '@playwright/test'
import { deliveryReport } from '@tidings/contracts/delivery/deliveries'
import { editionDeliveryEndpoints } from '@tidings/contracts/desk/deliveries'
import { publishEdition, putEdition } from '@tidings/contracts/desk/editions'
import { fillPath, type Route } from '@tidings/contracts/endpoint'
import { dataOf } from '@tidings/contracts/envelope'
import { editorOf } from '../editor.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect } from './desk-page.ts'
import { query } from './desk-people.ts'

/** Creates a draft with memos of these titles. */
export async function draftOf(
  request: APIRequestContext,
  key: string,
  titles: readonly string[],
  more: { memo_content?: string } = {},
): Promise<void> {
  await call(request, putEdition, key, { status: 'draft' })
  for (const title of titles) await editorOf(request).addMemo(key, title, more)
}

/** Publishes a draft, and returns once members have it. */
export async function publishAndSend(request: APIRequestContext, key: string): Promise<void> {
  await call(request, publishEdition, key, { deliver: true })
  await expect
    .poll(async () => {
      const response = await call(request, editionDeliveryEndpoints.report, key)
      return dataOf(deliveryReport).parse(await response.json()).data.state
    })
    .toBe('done')
}

/** Publishes a draft whose delivery waits for an hour. */
export async function publishForLater(request: APIRequestContext, key: string): Promise<void> {
  await publishAndSend(request, key)
  await delayDelivery(key)
}

/**
 * Lets a delivery that is done wait for an hour. The site under test sends at once, so the delivery is put back to its
 * beginning.
 */
async function delayDelivery(key: string): Promise<void> {
  await query(
    `UPDATE delivery_run SET state = 'planned', started_at = NULL, finished_at = NULL,
      send_after = now() + interval '1 hour'
    WHERE edition_id IN (SELECT id FROM edition WHERE to_char(date, 'MM-DD-YY-') || slot = $1)`,
    [key],
  )
}

/** Ends a delivery, so that other tests don’t see it on every screen. */
export async function endDelivery(key: string): Promise<void> {
  await query(
    `UPDATE delivery_run SET state = 'done', finished_at = now()
    WHERE edition_id IN (SELECT id FROM edition WHERE to_char(date, 'MM-DD-YY-') || slot = $1)`,
    [key],
  )
}

async function call(request: APIRequestContext, { method, path }: Route, key: string, data?: object) {
  const response = await request.fetch(fillPath(path, { params: { key } }), {
    method,
    headers: { Authorization: `Bearer ${siteUnderTest.editorKey()}` },
    data,
  })
  if (!response.ok()) throw new Error(`${path} failed with ${response.status()}: ${await response.text()}`)
  return response
}
