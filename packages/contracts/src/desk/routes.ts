// Methods and paths of the desk's endpoints that its web application calls, apart from their schemas: browsers load only these.

export const requestSignInOptions = { method: 'POST', path: '/desk/v1/sign-in/options' } as const
export const signIn = { method: 'POST', path: '/desk/v1/sign-in' } as const
export const requestSignInLink = { method: 'POST', path: '/desk/v1/sign-in-links' } as const
export const openSignInLink = { method: 'GET', path: '/desk/v1/sign-in-links/:token' } as const
export const signInWithLink = { method: 'POST', path: '/desk/v1/sign-in-links/:token' } as const
export const openInvitationLink = { method: 'GET', path: '/desk/v1/invitation-links/:token' } as const
export const requestInvitationOptions = {
  method: 'POST',
  path: '/desk/v1/invitation-links/:token/options',
} as const
export const acceptInvitation = { method: 'POST', path: '/desk/v1/invitation-links/:token' } as const
export const signOut = { method: 'POST', path: '/desk/v1/sign-out' } as const
export const getYou = { method: 'GET', path: '/desk/v1/you' } as const
export const changeYou = { method: 'PATCH', path: '/desk/v1/you' } as const
export const requestPasskeyOptions = { method: 'POST', path: '/desk/v1/you/passkeys/options' } as const
export const addPasskey = { method: 'POST', path: '/desk/v1/you/passkeys' } as const
export const removePasskey = { method: 'DELETE', path: '/desk/v1/you/passkeys/:id' } as const
export const listSessions = { method: 'GET', path: '/desk/v1/you/sessions' } as const
export const endSession = { method: 'DELETE', path: '/desk/v1/you/sessions/:id' } as const
export const listEditions = { method: 'GET', path: '/desk/v1/editions' } as const
export const getEdition = { method: 'GET', path: '/desk/v1/editions/:key' } as const
export const putEdition = { method: 'PUT', path: '/desk/v1/editions/:key' } as const
export const countComments = { method: 'GET', path: '/desk/v1/comments/counts' } as const
export const getCommentContext = { method: 'GET', path: '/desk/v1/comments/:id' } as const
export const hideComments = { method: 'POST', path: '/desk/v1/comments/hide' } as const
export const keepComments = { method: 'POST', path: '/desk/v1/comments/keep' } as const
export const listComments = { method: 'GET', path: '/desk/v1/comments' } as const
export const moderateAuthor = { method: 'PATCH', path: '/desk/v1/comment-authors/:memberId' } as const
export const findMemos = { method: 'GET', path: '/desk/v1/memos' } as const
export const listDeletedMemos = { method: 'GET', path: '/desk/v1/deleted-memos' } as const
export const restoreDeletedMemo = { method: 'POST', path: '/desk/v1/deleted-memos/:id/restore' } as const
export const listPeople = { method: 'GET', path: '/desk/v1/people' } as const
export const changeRoles = { method: 'PATCH', path: '/desk/v1/people/:id' } as const
export const removePerson = { method: 'DELETE', path: '/desk/v1/people/:id' } as const
export const recoverPerson = { method: 'POST', path: '/desk/v1/people/:id/invitation' } as const
export const listInvitations = { method: 'GET', path: '/desk/v1/invitations' } as const
export const invite = { method: 'POST', path: '/desk/v1/invitations' } as const
export const withdrawInvitation = { method: 'DELETE', path: '/desk/v1/invitations/:id' } as const
export const listEditorKeys = { method: 'GET', path: '/desk/v1/keys' } as const
export const makeEditorKey = { method: 'POST', path: '/desk/v1/keys' } as const
export const revokeEditorKey = { method: 'DELETE', path: '/desk/v1/keys/:id' } as const
export const requestProofOptions = { method: 'POST', path: '/desk/v1/you/proof/options' } as const
export const giveProof = { method: 'POST', path: '/desk/v1/you/proof' } as const
export const listChanges = { method: 'GET', path: '/desk/v1/audit' } as const
export const publishEdition = { method: 'POST', path: '/desk/v1/editions/:key/publish' } as const
export const getReadiness = { method: 'GET', path: '/desk/v1/editions/:key/readiness' } as const
export const previewEdition = { method: 'GET', path: '/desk/v1/editions/:key/preview/:method' } as const
export const listEditionDeliveries = { method: 'GET', path: '/desk/v1/editions/:key/deliveries' } as const
export const getDeliveryReport = { method: 'GET', path: '/desk/v1/editions/:key/delivery-report' } as const
export const getEditionReach = { method: 'GET', path: '/desk/v1/editions/:key/reach' } as const
export const stopDelivery = { method: 'POST', path: '/desk/v1/editions/:key/deliveries/stop' } as const
export const resumeDelivery = { method: 'POST', path: '/desk/v1/editions/:key/deliveries/resume' } as const
export const resolveDelivery = { method: 'POST', path: '/desk/v1/deliveries/:id/resolve' } as const
export const searchDeliveries = { method: 'POST', path: '/desk/v1/deliveries/search' } as const
export const listUnconfirmed = { method: 'GET', path: '/desk/v1/deliveries' } as const
export const listProgress = { method: 'GET', path: '/desk/v1/deliveries/progress' } as const
export const checkLink = { method: 'POST', path: '/desk/v1/links/check' } as const
export const addMemo = { method: 'POST', path: '/desk/v1/editions/:key/memos' } as const
export const deleteMemo = { method: 'DELETE', path: '/desk/v1/memos/:id' } as const
export const getWorkingCopy = { method: 'GET', path: '/desk/v1/memos/:id/working-copy' } as const
export const saveWorkingCopy = { method: 'PUT', path: '/desk/v1/memos/:id/working-copy' } as const
export const publishWorkingCopy = { method: 'POST', path: '/desk/v1/memos/:id/working-copy/publish' } as const
export const discardWorkingCopy = { method: 'DELETE', path: '/desk/v1/memos/:id/working-copy' } as const
export const getCorrectionNote = { method: 'GET', path: '/desk/v1/memos/:id/correction-note' } as const
export const sendCorrectionNote = { method: 'POST', path: '/desk/v1/memos/:id/correction-note' } as const
export const putOrder = { method: 'PUT', path: '/desk/v1/editions/:key/order' } as const
export const listOrders = { method: 'GET', path: '/desk/v1/editions/:key/orders' } as const
export const moveMemo = { method: 'POST', path: '/desk/v1/memos/:id/move' } as const
export const uploadPicture = { method: 'POST', path: '/desk/v1/media' } as const
export const previewEmail = { method: 'POST', path: '/desk/v1/preview/email' } as const
export const previewSms = { method: 'POST', path: '/desk/v1/preview/sms' } as const
export const previewPdf = { method: 'POST', path: '/desk/v1/preview/pdf' } as const
export const previewDigest = { method: 'POST', path: '/desk/v1/preview/digest' } as const
export const testEdition = { method: 'POST', path: '/desk/v1/editions/:key/test-send' } as const
export const testDigest = { method: 'POST', path: '/desk/v1/digests/:date/test-send' } as const
export const getDraftPicture = { method: 'GET', path: '/desk/v1/media/:file' } as const
export const getDeskMember = { method: 'GET', path: '/desk/v1/members/:id' } as const
export const liftSuppression = { method: 'POST', path: '/desk/v1/members/:id/lift-suppression' } as const
export const getStatistics = { method: 'GET', path: '/desk/v1/statistics' } as const
export const listNeeds = { method: 'GET', path: '/desk/v1/needs' } as const
export const listDeskArticles = { method: 'GET', path: '/desk/v1/articles' } as const
export const createArticle = { method: 'POST', path: '/desk/v1/articles' } as const
export const changeArticle = { method: 'PATCH', path: '/desk/v1/articles/:id' } as const
export const publishArticle = { method: 'POST', path: '/desk/v1/articles/:id/publish' } as const
export const getArticle = { method: 'GET', path: '/desk/v1/articles/:id' } as const
export const deleteArticle = { method: 'DELETE', path: '/desk/v1/articles/:id' } as const
export const getArticleCopy = { method: 'GET', path: '/desk/v1/articles/:id/working-copy' } as const
export const saveArticleCopy = { method: 'PUT', path: '/desk/v1/articles/:id/working-copy' } as const
export const publishArticleCopy = {
  method: 'POST',
  path: '/desk/v1/articles/:id/working-copy/publish',
} as const
export const discardArticleCopy = { method: 'DELETE', path: '/desk/v1/articles/:id/working-copy' } as const
export const getArticleReaders = { method: 'GET', path: '/desk/v1/article-readers' } as const
export const openToPlans = { method: 'POST', path: '/desk/v1/content-groups/for-plans' } as const
export const previewArticle = { method: 'POST', path: '/desk/v1/preview/article' } as const
export const listMemoVersions = { method: 'GET', path: '/desk/v1/memos/:id/versions' } as const
export const getMemoVersion = { method: 'GET', path: '/desk/v1/memos/:id/versions/:version' } as const
export const compareMemoVersions = {
  method: 'GET',
  path: '/desk/v1/memos/:id/versions/:version/comparison',
} as const
export const restoreMemoVersion = {
  method: 'POST',
  path: '/desk/v1/memos/:id/versions/:version/restore',
} as const
export const listArticleVersions = { method: 'GET', path: '/desk/v1/articles/:id/versions' } as const
export const getArticleVersion = { method: 'GET', path: '/desk/v1/articles/:id/versions/:version' } as const
export const compareArticleVersions = {
  method: 'GET',
  path: '/desk/v1/articles/:id/versions/:version/comparison',
} as const
export const restoreArticleVersion = {
  method: 'POST',
  path: '/desk/v1/articles/:id/versions/:version/restore',
} as const
export const findMembers = { method: 'POST', path: '/desk/v1/members/search' } as const
