import { z } from 'zod'
import { pageOf } from '../../envelope.ts'
import { deskEndpoint, idPage } from '../desk-endpoint.ts'
import * as routes from '../routes.ts'

const placedMemo = z.object({
  id: z.string(),
  title: z.string().nullable().describe('As it is written now; null if the memo was deleted long ago'),
  isHere: z.boolean().describe('Whether it is still in this edition'),
})
export type PlacedMemo = z.infer<typeof placedMemo>

const orderChange = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  editor: z.string().describe('Name of the person or of the editor key'),
  personId: z.string().nullable().describe('Null for a change by a key'),
  before: z.array(placedMemo).describe('The memos in their order before'),
  memos: z.array(placedMemo).describe('The memos in the order that it made'),
})
export type OrderChange = z.infer<typeof orderChange>

export const listOrders = deskEndpoint(routes.listOrders, {
  tag: 'Desk: writing',
  summary: 'Lists the changes of the order of an edition, newest first',
  description: 'Those of the audit log. To restore an order, set it with PUT …/order.',
  scope: 'read',
  params: z.object({ key: z.string().describe('MM-DD-YY-slot') }),
  query: idPage,
  reply: pageOf(orderChange),
})
