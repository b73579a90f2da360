import type pg from 'pg'

/** A screen of the desk: its address, and the text (a pattern) that makes its first paint useful. */
export type DeskScreen = {
  name: string
  path: string
  useful: string
  /** The name of the button that reads the next page of its list. */
  more?: string
}

const more = 'Show more'

/** Returns the screens to open, each with content. */
export async function deskScreens(database: pg.Client): Promise<DeskScreen[]> {
  const { rows } = await database.query<{ id: string }>(
    "SELECT memo.id::text FROM memo WHERE title = 'Draft memo 1'",
  )
  const memo = rows[0]?.id ?? ''
  return [
    { name: 'Today', path: '/days/11-20-26', useful: 'Delivered|Sent in' },
    { name: 'Edition', path: '/editions/12-24-26-10AM', useful: 'Draft memo 6' },
    { name: 'Memo', path: `/editions/12-24-26-10AM/memos/${memo}`, useful: 'Mark as ready' },
    { name: 'Versions', path: `/editions/12-24-26-10AM/memos/${memo}/versions`, useful: 'Olga', more },
    { name: 'Delivery', path: '/editions/11-20-26-8PM/delivery', useful: '9,800' },
    { name: 'Archive', path: '/archive', useful: 'Draft, 6 memos', more },
    { name: 'Archive, search', path: '/archive?q=ba', useful: '\\d memos' },
    { name: 'Articles', path: '/articles', useful: 'Article 199', more },
    { name: 'Comments, reported', path: '/comments?show=reported', useful: 'What reader', more },
    { name: 'Comments, all', path: '/comments?show=all', useful: 'What reader', more },
    { name: 'Members, suppressed', path: '/members?show=suppressed', useful: 'Reader \\d+', more },
    { name: 'Member', path: `/members/mem_${'1'.padStart(24, '0')}`, useful: 'reader1@readers.example' },
    { name: 'Numbers', path: '/numbers', useful: 'for each edition' },
    { name: 'People', path: '/people', useful: 'Olga Owner' },
    { name: 'Log', path: '/people/log', useful: 'scheduled \\d', more },
    { name: 'You', path: '/you', useful: 'This device' },
  ]
}
