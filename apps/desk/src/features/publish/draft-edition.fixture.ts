import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { DeskMemo } from '@tidings/contracts/desk/memos'

const at = '2026-11-20T23:00:00.000Z'

/** A memo with everything but alt text. */
export const draftMemo: DeskMemo = {
  id: '0193a000-0000-7000-8000-000000000001',
  edition: '11-20-26-3PM',
  position: 1,
  title: 'A dam is taken down',
  memo_content: '<p>News.</p>',
  source: '',
  media: '',
  media_title: '',
  media_alt: null,
  media_focus: { x: 0.5, y: 0.5 },
  media_text: '',
  language: '',
  ready: false,
  note: '',
  notedAt: null,
  counter: 0,
  version: 1,
  savedBy: 'Mara Lind',
  createdAt: at,
  updatedAt: at,
}

/** A draft with one memo. */
export const draftEdition: DeskEdition = {
  key: '11-20-26-3PM',
  date: '11-20-26',
  slot: '3PM',
  status: 'draft',
  heldReason: null,
  publishAt: at,
  publishedAt: null,
  deliver: null,
  subject: '',
  memoCount: 1,
  readyCount: 0,
  version: 3,
  createdAt: at,
  updatedAt: at,
  orderVersion: 1,
  memos: [draftMemo],
  workingCopies: [],
}
