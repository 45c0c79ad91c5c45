# Run by CPack between installing and packing: every file bears the time of the commit, so that packages of one commit
# are equal to the byte.
if(CPACK_KGWALK_EPOCH)
  execute_process(COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -depth -exec touch --no-dereference -d @${CPACK_KGWALK_EPOCH} {} +
                  COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} ${CPACK_KGWALK_EPOCH})
endif()
