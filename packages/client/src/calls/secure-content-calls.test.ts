import { describeCalls } from '../testing/describe-calls.ts'
import { createSecureContentCalls } from './secure-content-calls.ts'

describeCalls(createSecureContentCalls, {
  getSecureContent: {
    act: (client) => client.getSecureContent({ contentId: 'members-welcome' }),
    line: 'POST /secure-content',
    body: { contentId: 'members-welcome' },
    data: { content: '<p>Welcome.</p>', type: 'HTML' },
  },
})
