import { describe, expect, it } from 'vitest'
import { hideComments, keepComments, moderateAuthor, moderateComment } from './comments.ts'
import { searchDeliveries } from './deliveries.ts'
import { getDeskMember, liftSuppression, searchMembers } from './members.ts'
import { getStatistics } from './statistics.ts'

describe('the roles of people', () => {
  it.each([hideComments, keepComments, moderateComment, moderateAuthor])(
    'let moderators, editors and owners decide about comments: $method $path',
    ({ roles }) => {
      expect(roles).toEqual(['moderator', 'editor', 'owner'])
    },
  )

  it.each([searchMembers, getDeskMember, liftSuppression, searchDeliveries])(
    'let editors and owners look at members: $method $path',
    ({ roles }) => {
      expect(roles).toEqual(['editor', 'owner'])
    },
  )

  it('let everyone at the desk read the numbers', () => {
    expect(getStatistics.roles).toEqual(['writer', 'moderator', 'editor', 'owner'])
  })
})
