"""What the threshold workbench shows (S9, review-queue §5.2): what is asked, what each point says, and its words."""
