-- The text that confirms the program after a number is verified: when a worker began to send it, and when that ended.

ALTER TABLE member_phone
    ADD COLUMN program_text_claimed_at timestamptz(3),
    ADD COLUMN program_text_ended_at timestamptz(3);
