module Shell
  module Commands
    # Shows the index jobs that ended last.
    class SpyhopJobs < ::Spyhop::Command
      java_import 'io.spyhop.client.JobSummary'

      TITLES = %w[
        JOB >JOBS >FAILED >MEAN_WAIT >10% >20% >30% >40% >50% >60% >70% >80% >90% >100% >MEAN_RUN
      ].freeze

      def help
        <<~EOF
          Shows the index jobs that ended last on all region servers, the last 10,000 of each. Times are
          in seconds.

            hbase> spyhop_jobs

            JOB        FLUSH, COMMIT, COMPACT, COMPLETE_COMPACT, PAIRS, ARCHIVE, REMOTE, STATISTICS, VIEW
            JOBS       how many ended; cancelled ones do not count
            MEAN_WAIT  mean time between being queued and being started
            10% ...    so many of the jobs waited that long or less
            MEAN_RUN   mean time between being started and being ended
        EOF
      end

      def command
        print_table(TITLES, JobSummary.of(index_admin.jobs).map { |j| row(j) })
      end

      private

      def row(job)
        waits = job.waitMs.map { |w| seconds(w) }
        [job.kind, job.jobs, job.failed, seconds(job.meanWaitMs), *waits, seconds(job.meanRunMs)]
      end

      def seconds(millis)
        format('%.3f', millis / 1000.0)
      end
    end
  end
end
