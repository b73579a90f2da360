import { secureContentReply, secureContentRequest } from '@tidings/contracts/membership/secure-content'
import { describeCalls } from '../testing/describe-calls.ts'
import { createSecureContentCalls } from './secure-content-calls.ts'

describeCalls(createSecureContentCalls, {
  getSecureContent: {
    act: (client) => client.getSecureContent({ contentId: 'members-welcome' }),
    line: 'POST /secure-content',
    sent: { body: { contentId: 'members-welcome' }, schema: secureContentRequest },
    schema: secureContentReply,
    data: { content: '<p>Welcome.</p>', type: 'HTML' },
  },
})
