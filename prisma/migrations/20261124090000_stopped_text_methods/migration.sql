-- The delivery methods that a member's STOP turned off, so that START turns them on again.

ALTER TABLE member_phone ADD COLUMN stopped_methods delivery_method[] NOT NULL DEFAULT '{}';
