-- Notifications of new editions in browsers. Last, so that the order of the others stays.

ALTER TYPE delivery_method ADD VALUE 'web_push';
