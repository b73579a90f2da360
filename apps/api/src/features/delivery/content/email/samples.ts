import type { DeliverySite, EmailContent, EmailMemo } from '../edition-content.ts'

const picture =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"%3E%3Cpath fill="%238fa3a8" d="M0 0h16v9H0z"/%3E%3Cpath fill="%23566b70" d="m0 9 5-5 4 4 3-3 4 4z"/%3E%3C/svg%3E'

const empty: EmailMemo = {
  title: '',
  content: '',
  source: '',
  mediaTitle: '',
  mediaAlt: null,
  mediaText: '',
  language: '',
  pictureUrl: null,
  note: '',
  notedAt: null,
}

const harbor: EmailMemo = {
  ...empty,
  title: 'The harbor opens its new ferry line',
  content:
    '<p>From Monday, a ferry crosses the bay every twenty minutes. The crossing takes <strong>eleven minutes</strong> and costs as much as the bus.</p><p>The city expects <a href="https://ferries.example.com/plan" rel="noopener noreferrer" target="_blank">9,000 passengers a day</a>.</p>',
  source: 'https://www.example.com/harbor',
  mediaTitle: 'The first ferry at the north pier',
  mediaText: '<p>Picture: the harbor office</p>',
  pictureUrl: picture,
}

const budget: EmailMemo = {
  ...empty,
  mediaAlt: '',
  title: 'What changes with the new budget, and a title that is long enough to need a second line on a phone',
  content:
    '<h2>In short</h2><ul><li>Libraries stay open on Sundays.</li><li>Bus fares don’t rise before 2028.</li></ul><blockquote><p>We kept what people use every day.</p></blockquote><table><tbody><tr><th scope="row">Schools</th><td>+4%</td></tr><tr><th scope="row">Roads</th><td>−1%</td></tr></tbody></table>',
  source: 'https://city.example.org/budget',
}

const arabic: EmailMemo = {
  ...empty,
  title: 'IFLA: افتتاح المكتبة الجديدة',
  content: '<p>تفتح المكتبة أبوابها يوم الاثنين، وفيها ثلاث قاعات للقراءة.</p>',
  source: 'https://example.com/library',
  language: 'ar',
}

const hostile: EmailMemo = {
  ...empty,
  title: 'Tags such as <script> & "quotes" are text',
  content: '<p>5 &lt; 6 &amp; 7 &gt; 6.</p>',
}

const date = { year: 2026, month: 11, day: 20 }
const notedAt = new Date('2026-11-20T23:12:00.000Z')
const memoEmail = { kind: 'memo', date, pdf: null, correction: null } as const
const long = { ...empty, content: `<p>${'A long sentence of many words. '.repeat(25)}</p>`.repeat(70) }

/** Returns the content of each sample, for the preview page and the tests. */
export const deliverySamples: Readonly<Record<string, EmailContent>> = {
  edition: { ...memoEmail, editions: [{ slot: '10AM', memos: [harbor, budget, arabic, hostile] }] },
  'one memo': { ...memoEmail, editions: [{ slot: '3PM', memos: [harbor] }] },
  'a correction': {
    ...memoEmail,
    correction: 'The harbor opens on Tuesday, not on Monday.',
    editions: [{ slot: '3PM', memos: [harbor] }],
  },
  'a corrected edition': {
    ...memoEmail,
    editions: [
      {
        slot: '3PM',
        memos: [
          { ...harbor, note: 'The crossing takes eleven minutes.', notedAt },
          { ...arabic, note: 'المكتبة فيها ثلاث قاعات.', notedAt },
        ],
      },
    ],
  },
  'with a PDF': {
    kind: 'pdf',
    date,
    correction: null,
    pdf: { format: 'phone', otherUrl: 'https://news.example.com/l/pdf/sample' },
    editions: [{ slot: '3PM', memos: [harbor, arabic] }],
  },
  'memos with a PDF': {
    kind: 'memo-and-pdf',
    date,
    correction: null,
    pdf: { format: 'phone', otherUrl: 'https://news.example.com/l/pdf/sample' },
    editions: [{ slot: '10AM', memos: [harbor, budget] }],
  },
  'memos without their PDF': {
    ...memoEmail,
    kind: 'memo-and-pdf',
    editions: [{ slot: '10AM', memos: [harbor, budget] }],
  },
  'with a PDF in A4': {
    kind: 'pdf',
    date,
    correction: null,
    pdf: { format: 'a4', otherUrl: 'https://news.example.com/l/pdf/sample' },
    editions: [{ slot: '3PM', memos: [budget] }],
  },
  'long memos': {
    ...memoEmail,
    editions: [
      {
        slot: '8PM',
        memos: [
          harbor,
          { ...long, title: 'A memo of 10,000 words' },
          budget,
          { ...long, title: 'Another one' },
        ],
      },
    ],
  },
  digest: {
    ...memoEmail,
    kind: 'digest',
    editions: [
      { slot: '10AM', memos: [harbor, arabic] },
      { slot: '8PM', memos: [budget] },
    ],
  },
}

/** The site of the samples. */
export const sampleSite: DeliverySite = {
  name: 'Tidings',
  url: new URL('https://news.example.com'),
  language: 'en',
  timeZone: 'America/Los_Angeles',
  company: 'Tidings LLC',
  postalAddress: 'Los Angeles, California',
  contact: 'help@example.com',
  subjectFormat: [
    { ifMore: false, field: 'slot' },
    { ifMore: false, words: ': ' },
    { ifMore: false, field: 'title' },
    { ifMore: true, words: ', and ' },
    { ifMore: true, field: 'more' },
    { ifMore: true, words: ' more' },
  ],
}

export const sampleLinks = {
  webView: 'https://news.example.com/l/view/sample',
  preferences: 'https://news.example.com/l/preferences/sample',
  unsubscribe: 'https://news.example.com/l/unsubscribe/sample',
}
