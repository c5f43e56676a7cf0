"""What Prometheus reads: out of the database what became of answers and reviews (``page``), and what web was asked, which its
processes count themselves (``requests``, in files of ``folder``)."""
