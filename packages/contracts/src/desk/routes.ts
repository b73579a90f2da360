// Methods and paths of the desk's endpoints that its web application calls, apart from their schemas: browsers load only these.

export const requestSignInOptions = { method: 'POST', path: '/desk/v1/sign-in/options' } as const
export const signIn = { method: 'POST', path: '/desk/v1/sign-in' } as const
export const requestSignInLink = { method: 'POST', path: '/desk/v1/sign-in-links' } as const
export const signOut = { method: 'POST', path: '/desk/v1/sign-out' } as const
export const getYou = { method: 'GET', path: '/desk/v1/you' } as const
export const changeYou = { method: 'PATCH', path: '/desk/v1/you' } as const
export const listSessions = { method: 'GET', path: '/desk/v1/you/sessions' } as const
export const endSession = { method: 'DELETE', path: '/desk/v1/you/sessions/:id' } as const
export const listEditions = { method: 'GET', path: '/desk/v1/editions' } as const
export const getEdition = { method: 'GET', path: '/desk/v1/editions/:key' } as const
export const putEdition = { method: 'PUT', path: '/desk/v1/editions/:key' } as const
export const checkLink = { method: 'POST', path: '/desk/v1/links/check' } as const
export const addMemo = { method: 'POST', path: '/desk/v1/editions/:key/memos' } as const
export const deleteMemo = { method: 'DELETE', path: '/desk/v1/memos/:id' } as const
export const getWorkingCopy = { method: 'GET', path: '/desk/v1/memos/:id/working-copy' } as const
export const saveWorkingCopy = { method: 'PUT', path: '/desk/v1/memos/:id/working-copy' } as const
export const publishWorkingCopy = { method: 'POST', path: '/desk/v1/memos/:id/working-copy/publish' } as const
export const discardWorkingCopy = { method: 'DELETE', path: '/desk/v1/memos/:id/working-copy' } as const
export const putOrder = { method: 'PUT', path: '/desk/v1/editions/:key/order' } as const
export const moveMemo = { method: 'POST', path: '/desk/v1/memos/:id/move' } as const
export const uploadPicture = { method: 'POST', path: '/desk/v1/media' } as const
export const getDraftPicture = { method: 'GET', path: '/desk/v1/media/:file' } as const
export const restoreDeletedMemo = { method: 'POST', path: '/desk/v1/deleted-memos/:id/restore' } as const
