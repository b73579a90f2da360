import type { DeskComment } from '@tidings/contracts/desk/comments'
import { describe, expect, it } from 'vitest'
import { authorText, hiddenText, placeText, reportText, siteAddress, timeText } from './comment-words.ts'

const now = new Date('2043-05-20T20:00:00.000Z')

function commentWith(change: Partial<DeskComment>): DeskComment {
  return {
    id: 'cmt_1',
    kind: 'post',
    appId: 'app',
    channelKey: 'edition:05-20-43-3PM',
    postId: null,
    memberId: 'mem_1',
    author: { name: 'Ann', since: '2043-05-18T12:00:00.000Z' },
    article: null,
    edition: '05-20-43-3PM',
    reports: [],
    content: 'A word',
    hidden: false,
    authorHidden: false,
    createdAt: '2043-05-20T19:00:00.000Z',
    editedAt: null,
    ...change,
  }
}

describe('the words of a comment', () => {
  it.each([
    ['2043-05-20T19:00:00.000Z', 'Ann, member for 1 h'],
    ['2043-05-18T12:00:00.000Z', 'Ann, member 2 days'],
    ['2043-01-01T12:00:00.000Z', 'Ann, member 4 months'],
    ['2040-01-01T12:00:00.000Z', 'Ann, member 3 years'],
  ])('say how long the author is a member since %s', (since, text) => {
    expect(authorText({ name: 'Ann', since }, now)).toBe(text)
  })

  it('count its reports and name each reason once', () => {
    const at = '2043-05-20T19:00:00.000Z'
    const reports = [
      { reason: 'advertising', at },
      { reason: ' advertising', at },
      { reason: '', at },
    ]
    expect(reportText(commentWith({ reports: reports.slice(0, 1) }))).toBe('Reported once: advertising')
    expect(reportText(commentWith({ reports: reports.slice(0, 2) }))).toBe('Reported twice: advertising')
    expect(reportText(commentWith({ reports }))).toBe('Reported 3 times: advertising')
    expect(reportText(commentWith({}))).toBe('')
  })

  it('name where it stands, and link to it', () => {
    expect(placeText(commentWith({}))).toBe('3PM, Wednesday, May 20')
    expect(siteAddress(commentWith({}))).toBe('/#/edition/05-20-43-3PM')
    const article = { id: 'a1', title: 'Bees' }
    expect(placeText(commentWith({ article, edition: null }))).toBe('Bees')
    expect(siteAddress(commentWith({ article, edition: null }))).toBe('/#/viewgated/a1')
    expect(siteAddress(commentWith({ edition: null }))).toBeNull()
  })

  it('say whether it is hidden itself or with its author', () => {
    expect(hiddenText(commentWith({ hidden: true }))).toBe('Hidden')
    expect(hiddenText(commentWith({ authorHidden: true }))).toBe('Hidden with its author')
  })

  it('have the day unless it is today, and the year unless it is this one', () => {
    expect(timeText('2043-05-20T19:00:00.000Z', now, 'UTC')).toBe('7:00 PM')
    expect(timeText('2043-05-19T19:00:00.000Z', now, 'UTC')).toBe('May 19, 7:00 PM')
    expect(timeText('2042-05-20T19:00:00.000Z', now, 'UTC')).toBe('May 20, 2042, 7:00 PM')
  })
})
